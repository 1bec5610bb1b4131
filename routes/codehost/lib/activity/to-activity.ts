import { createHash } from 'node:crypto'
import type { NewActivity } from '../../../../db/codehost/activity.js'
import { toWebLink } from '../../../../lib/http/web-link.js'
import { storable } from '../read-host.js'

const maxText = 500

const text = (value: string | null | undefined): string | null => value ? storable(value.slice(0, maxText)) : null

const sha256 = (value: string) => createHash('sha256').update(value).digest()

export type ActivityInput = Pick<NewActivity, 'type' | 'repo_id' | 'occurred_at' | 'source' | 'raw_event'> &
  Partial<Omit<NewActivity, 'id' | 'digest'>>

/**
 * @param key identifies the activity in its repository; webhook and history give the same key
 * @returns the row
 */
export const toActivity = (key: string, input: ActivityInput): NewActivity => {
  const { repo_id: repoId, type, occurred_at: at, source, commit_count: commits, pull_number: pull } = input
  const row = {
    type,
    actor: text(input.actor),
    ref: text(input.ref),
    before: input.before ?? null,
    after: input.after ?? null,
    commit_count: commits ?? null,
    pull_number: pull ?? null,
    subject: text(input.subject),
    html_url: text(toWebLink(input.html_url)),
    raw_event: input.raw_event.slice(0, maxText)
  }
  const id = sha256(`${repoId} ${storable(key)}`).toString('hex').slice(0, 32)
  return { ...row, id, repo_id: repoId, occurred_at: at, source, digest: sha256(JSON.stringify(row)) }
}
