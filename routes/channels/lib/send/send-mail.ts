import type { ChannelRow } from '../../../../db/channels/channels.js'
import type { DeliveryRow } from '../../../../db/channels/deliveries.js'
import { oneLine, mailServerOf, MailError, submitMail } from '../../../../lib/mail/submit.js'
import { messageOf } from '../../../../schemas/unknown.js'
import type { Deps } from '../deps.js'
import type { Message } from './message.js'
import type { Sent } from './message.js'

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', '\'': '&#39;' }
const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => escapes[character] ?? '')

/** Whoever reads a mail decides nothing by it: it leads to the page, which asks who they are. */
const note = 'Decide on that page, signed in: this mail, and an answer to it, decide nothing.'

const toText = ({ title, lines, url }: Message): string => [title, '', ...lines, '', url, '', note, ''].join('\n')

const toHtml = ({ title, lines, url }: Message): string => [
  '<!doctype html><meta charset="utf-8">',
  `<h3>${escapeHtml(title)}</h3>`,
  `<ul>${lines.map((line) => `<li>${escapeHtml(line)}</li>`).join('')}</ul>`,
  `<p><a href="${escapeHtml(url)}">Open it in Steward</a></p>`,
  `<p><small>${note}</small></p>`
].join('\n')

/** Sends one mail. A repetition has the same Message-ID. */
export const mail = async (deps: Deps, to: string, message: Message): Promise<Sent> => {
  try {
    await submitMail(mailServerOf(deps), {
      id: message.id,
      to: { name: '', address: to },
      subject: oneLine(message.title),
      text: toText(message),
      html: toHtml(message),
      headers: { 'Auto-Submitted': 'auto-generated' }
    })
    return { ok: true, ref: null }
  } catch (error) {
    const isRefused = error instanceof MailError && error.failure === 'refused'
    return { ok: false, error: messageOf(error).slice(0, 500).toWellFormed(), isRefused }
  }
}

/** The link says in whose mail it was: should another follow it who has not the right, its person is notified. */
const linkOf = ({ url, question }: Message, row?: DeliveryRow): string =>
  question && row ? `${url}?from=${row.id}` : url

/** How a question has ended is on the page that the mail led to. */
export const sendMail = async (deps: Deps, channel: ChannelRow, message: Message, row?: DeliveryRow): Promise<Sent> =>
  message.type === 'approval.ended'
    ? { ok: true, ref: null }
    : mail(deps, channel.address, { ...message, url: linkOf(message, row) })
