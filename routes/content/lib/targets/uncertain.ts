import type { PublicationRow } from '../../../../db/content/publications.js'
import type { PublicationState } from '../../../../schemas/content/publications.js'
import type { Outcome } from './outcome.js'

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
