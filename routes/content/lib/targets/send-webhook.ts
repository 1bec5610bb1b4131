import { Webhook } from 'standardwebhooks'
import { disableTarget, findSecrets } from '../../../../db/content/brands.js'
import type { PublicationRow } from '../../../../db/content/publications.js'
import type { StoredTarget } from '../../../../db/content/tables.js'
import { OutboundError } from '../../../../lib/outbound/errors.js'
import type { Content } from '../../../../schemas/content/contents.js'
import { htmlOf } from '../texts/html-of.js'
import { secretContext } from '../brands/replace-brand.js'
import { type Deps, byStatus, type Outcome } from './outcome.js'

const timeoutMs = 10_000
const maxAnswer = 65_536

const events = { publish: 'content.published', update: 'content.updated', unpublish: 'content.unpublished' } as const

const nameOf = ({ id, project_id, channel, network, locale, version, slug }: Content) =>
  ({ id, project_id, channel, network, locale, version, slug })

/** @returns the content of an event: as it was written, and as HTML. @throws text_too_complex, overloaded */
export const contentOf = async (content: Content, site: string | undefined) => {
  const { title, summary, body_markdown, fields, seo, media, citations } = content
  const body_html = await htmlOf(content, site)
  return { ...nameOf(content), title, summary, body_markdown, body_html, fields, seo, media, citations }
}

const payloadOf = async (row: PublicationRow, content: Content, site: string | undefined) => {
  const shown = row.action === 'unpublish' ? nameOf(content) : await contentOf(content, site)
  const data = { publication_id: row.id, content: shown }
  return { type: events[row.action], timestamp: row.created_at.toISOString(), data }
}

/** Standard Webhooks: a replaced secret signs too for a day, so that the receiver can change over. */
const sign = (deps: Deps, row: PublicationRow, secrets: Buffer[], body: string): Record<string, string> => {
  const at = new Date()
  const signatures = secrets.map((encrypted) => {
    const secret = deps.secrets.decrypt(secretContext(row.target_id), encrypted)
    return new Webhook(secret).sign(row.id, at, body)
  })
  return {
    'content-type': 'application/json',
    'webhook-id': row.id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': signatures.join(' ')
  }
}

const onError = (error: unknown): Outcome => {
  if (!(error instanceof OutboundError)) throw error
  const base = { http_status: null, error: error.code === 'url_not_allowed' ? 'target_not_allowed' : error.code }
  // The request may have arrived: the receiver recognizes a repetition by its webhook-id.
  if (error.code === 'url_timeout') return { ...base, state: 'unknown' }
  return { ...base, state: error.code === 'url_not_allowed' ? 'failed' : 'retrying' }
}

/** Sends one event. Delivery is retried with the same id, so a receiver processes it once. */
export const sendWebhook = async (deps: Deps, row: PublicationRow, target: StoredTarget, content: Content,
  site: string | undefined): Promise<Outcome> => {
  const body = JSON.stringify(await payloadOf(row, content, site))
  const secrets = await findSecrets(deps.db, row.workspace_id, row.target_id)
  // The secret is lost with its encryption key; an unsigned event is not sent.
  if (secrets.length === 0) return { state: 'failed', error: 'secret_lost', http_status: null }
  const request = { url: target.config.url ?? '', method: 'POST' as const, body, timeoutMs, maxBytes: maxAnswer }
  try {
    const answer = await deps.outbound.fetch({ ...request, headers: sign(deps, row, secrets, body) })
    if (answer.status === 410) await disableTarget(deps.db, row.workspace_id, row.target_id, 'receiver_gone')
    const wait = Number(answer.headers['retry-after'])
    const external = { id: row.id, url: null, pr_number: null }
    return { ...byStatus(answer.status, wait > 0 ? wait : undefined), external }
  } catch (error) {
    return onError(error)
  }
}
