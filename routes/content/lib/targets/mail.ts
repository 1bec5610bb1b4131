import type { PublicationRow } from '../../../../db/content/publications.js'
import type { StoredTarget } from '../../../../db/content/tables.js'
import { oneLine, mailServerOf, MailError, submitMail, type MailFailure } from '../../../../lib/mail/submit.js'
import type { Content } from '../../../../schemas/content/contents.js'
import { ApiError } from '../../../../schemas/errors.js'
import type { PublicationState } from '../../../../schemas/content/publications.js'
import { htmlOf } from '../texts/html-of.js'
import { readText } from '../text/read-text.js'
import { type Deps, type Outcome, neverKnown, uncertainSince } from './outcome.js'

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escapeHtml = (text: string): string => text.replace(/[&<>"]/g, (character) => escapes[character] ?? '')

/** Programs show the preheader beside the subject; in the mail itself it is not seen. */
const toPage = ({ locale, title, fields: { preheader = '' } }: Content, html: string): string => [
  `<!doctype html><html lang="${escapeHtml(locale)}"><head><meta charset="utf-8">`,
  `<title>${escapeHtml(title)}</title></head><body>`,
  ...(preheader === '' ? [] : [`<div style="display:none">${escapeHtml(preheader)}</div>`]),
  html,
  '</body></html>'
].join('\n')

/** @returns the mail of a record. @throws text_too_complex, overloaded */
export const toMail = async (content: Content, site: string | undefined) => {
  const { channel, title, body_markdown, fields } = content
  return {
    subject: oneLine(fields.subject?.trim() || title),
    text: await readText('textOf', channel, { body_markdown, fields }),
    html: toPage(content, await htmlOf(content, site))
  }
}

const outcomes: Record<MailFailure, Pick<Outcome, 'state' | 'error'>> = {
  unconfigured: { state: 'failed', error: 'mail_not_configured' },
  refused: { state: 'failed', error: 'mail_refused' },
  busy: { state: 'retrying', error: 'mail_server_busy' },
  unsent: { state: 'retrying', error: 'mail_server_unreachable' },
  unknown: { state: 'unknown', error: 'no_answer' }
}

const toOutcome = (error: unknown): Outcome => {
  if (error instanceof MailError) return { ...outcomes[error.failure], http_status: null }
  // The text was not rendered, so nothing was sent.
  if (!(error instanceof ApiError)) throw error
  return { state: error.statusCode < 500 ? 'failed' : 'retrying', error: error.code, http_status: null }
}

const headersOf = ({ config: { unsubscribe_url: url } }: StoredTarget): Record<string, string> =>
  ({ 'Auto-Submitted': 'auto-generated', ...(url !== undefined && { 'List-Unsubscribe': `<${url}>` }) })

/**
 * Sends one mail to all recipients in one transaction with the server: it has all of it or nothing. A server of mail
 * cannot be asked what became of a mail whose answer was lost, so such a mail is not sent again unasked.
 */
export const sendMail = async (deps: Deps, row: PublicationRow, was: PublicationState, target: StoredTarget,
  content: Content, site: string | undefined): Promise<Outcome> => {
  if (uncertainSince(row, was)) return neverKnown
  const { recipients = [], reply_to: replyTo } = target.config
  const server = mailServerOf(deps)
  const from = server?.from ?? ''
  try {
    const { messageId, rejected } = await submitMail(server, {
      ...await toMail(content, site),
      id: row.id,
      from: { name: oneLine(content.fields.from_name ?? ''), address: from },
      ...(replyTo !== undefined && { replyTo }),
      to: 'undisclosed-recipients:;',
      envelope: { from, to: recipients },
      headers: headersOf(target)
    })
    const error = rejected.length === 0 ? null : 'recipients_refused'
    return { state: 'succeeded', error, http_status: null, external: { id: messageId, url: null, pr_number: null } }
  } catch (error) {
    return toOutcome(error)
  }
}
