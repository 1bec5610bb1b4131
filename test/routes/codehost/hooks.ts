import { createHmac, randomUUID } from 'node:crypto'
import type { App } from '../../app.js'

export const sign = (body: string | Buffer, secret: string): string =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`

export interface Sending {
  delivery?: string
  secret?: string
  headers?: Record<string, string | string[] | undefined>
}

/** @returns the secret with which the code host of this Steward signs now */
export const secretOf = ({ codehost }: App): string => codehost.addresses.webhookSecrets[0] ?? ''

/** Sends a webhook as the code host does: signed, and under a GUID of its own. */
export const deliver = (app: App, event: string, payload: unknown, sending: Sending = {}) => {
  const body = Buffer.isBuffer(payload) || typeof payload === 'string' ? payload : JSON.stringify(payload)
  const headers = {
    'content-type': 'application/json',
    'x-github-delivery': sending.delivery ?? randomUUID(),
    'x-github-event': event,
    'x-hub-signature-256': sign(body, sending.secret ?? secretOf(app)),
    ...sending.headers
  }
  const sent = Object.fromEntries(Object.entries(headers).flatMap(([name, value]) => value ? [[name, value]] : []))
  return app.inject({ method: 'POST', url: '/webhooks/codehost', headers: sent, payload: body })
}

/** Processes every queued receipt. */
export const settleHooks = async (app: App): Promise<void> => {
  await app.jobs.enqueue(app.db, 'codehost.receipts', {})
  await app.jobs.drain()
}

const sha = (letter: string) => letter.length === 1 ? letter.repeat(40) : letter

export interface PushInput {
  before?: string
  after?: string
  ref?: string
  at?: number
  repository?: object
  commits?: object[]
  more?: object
}

const main = 'refs/heads/main'

/** A push event of the code host; `a` stands for a hash of forty a's; a whole hash for itself. */
export const pushOf = ({ before = 'a', after = 'b', ref = main, at = 1_780_000_000, ...rest }: PushInput) => ({
  ref,
  before: sha(before),
  after: sha(after),
  repository: {
    id: 7001,
    full_name: 'larkspur/web',
    private: false,
    default_branch: 'main',
    updated_at: '2026-05-01T10:00:00Z',
    pushed_at: at,
    ...rest.repository
  },
  sender: { login: 'octavia', id: 5001 },
  created: before === '0',
  deleted: after === '0',
  forced: false,
  compare: 'https://code.test/larkspur/web/compare/a...b',
  commits: rest.commits ?? [{ message: 'Change it', added: [], removed: [], modified: ['web/a.ts'] }],
  head_commit: after === '0' ? null : { message: 'Change it', timestamp: '2026-05-28T20:26:40Z' },
  ...rest.more
})
