import { createHash } from 'node:crypto'
import type { NewActivity } from '../../../db/codehost/activity.js'
import { toWebLink } from '../../../lib/http/web-link.js'
import { storable } from './read-host.js'

const maxText = 500

const text = (value: string | null | undefined): string | null => value ? storable(value.slice(0, maxText)) : null

const sha256 = (value: string) => createHash('sha256').update(value).digest()

export type Fact = Pick<NewActivity, 'type' | 'repo_id' | 'occurred_at' | 'source' | 'raw_event'> &
  Partial<Omit<NewActivity, 'id' | 'digest'>>

/**
 * @param key what names the fact in its repository, the same wherever it is told
 * @returns the row of it
 */
export const toFact = (key: string, fact: Fact): NewActivity => {
  const { repo_id: repoId, type, occurred_at: at, source, commit_count: commits, pull_number: pull } = fact
  const row = {
    type,
    actor: text(fact.actor),
    ref: text(fact.ref),
    before: fact.before ?? null,
    after: fact.after ?? null,
    commit_count: commits ?? null,
    pull_number: pull ?? null,
    subject: text(fact.subject),
    html_url: text(toWebLink(fact.html_url)),
    raw_event: fact.raw_event.slice(0, maxText)
  }
  const id = sha256(`${repoId} ${storable(key)}`).toString('hex').slice(0, 32)
  return { ...row, id, repo_id: repoId, occurred_at: at, source, digest: sha256(JSON.stringify(row)) }
}
