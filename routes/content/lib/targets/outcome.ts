import type { FastifyInstance } from 'fastify'
import type { PublicationRow } from '../../../../db/content/publications.js'
import type { Content } from '../../../../schemas/content/contents.js'
import type { External, PublicationState } from '../../../../schemas/content/publications.js'

export type Deps = Pick<FastifyInstance,
'db' | 'jobs' | 'log' | 'config' | 'sandbox' | 'secrets' | 'outbound' | 'inject' | 'tickets' | 'failpoint' | 'objects'>

/** Errors of attempts after which the target may have what was sent. */
const lost = new Set(['no_answer', 'internal', 'url_timeout', 'url_unreachable', 'url_too_large'])

/**
 * @param was the state before this attempt; `queued` = a person has just asked for it
 * @returns since when the target may have an earlier attempt; undefined = it has none
 */
export const uncertainSince = (row: PublicationRow, was: PublicationState): Date | undefined => {
  if (was === 'queued' || was === 'scheduled') return undefined
  const first = row.attempts.find(({ http_status: status, error }) => status === null && lost.has(error ?? ''))
  if (first) return new Date(first.at)
  return was === 'unknown' ? row.publish_at ?? row.created_at : undefined
}

/** The target cannot be asked what became of it: a person looks, and retries or does not. */
export const neverKnown: Outcome = { state: 'failed', error: 'outcome_unknown', http_status: null }

/** @returns the posts that readers of a social record get, without the blank ones */
export const postsOf = ({ channel, fields }: Pick<Content, 'channel' | 'fields'>): string[] => channel === 'social'
  ? (fields.posts ?? []).map(({ text }) => text.trim()).filter((text) => text !== '')
  : []

/** How one attempt at a target ended. */
export interface Outcome {
  state: Extract<PublicationState, 'succeeded' | 'failed' | 'retrying' | 'unknown' | 'awaiting_merge'>
  error: string | null
  http_status: number | null
  external?: External
  /** Seconds that the target asks to wait. */
  wait?: number
}

const transient = new Set([408, 425, 429])

/** @returns the outcome of a status: only a status that may change by itself is retried */
export const byStatus = (status: number, wait?: number): Pick<Outcome, 'state' | 'error' | 'http_status' | 'wait'> => {
  const known = { http_status: status, ...(wait === undefined ? {} : { wait }) }
  if (status >= 200 && status < 300) return { ...known, state: 'succeeded', error: null }
  if (transient.has(status) || status >= 500) return { ...known, state: 'retrying', error: `answered_${status}` }
  return { ...known, state: 'failed', error: status >= 300 && status < 400 ? 'redirected' : `answered_${status}` }
}
