import type { FastifyInstance } from 'fastify'
import { escapeHtml, noPage, page, readerOf } from '../keyed-page.js'
import { buildWire, type Outcome } from '../wire.js'
import { simpleParser } from './read-mail.js'
import type { ReceivedMail } from './index.js'

const mostShown = 50

/** The text of a mail, whose addresses are links as in other programs that read mail. */
const linked = (text: string): string => text.split(/(https?:\/\/\S+)/).map((part, index) =>
  index % 2 === 1 ? `<a href="${escapeHtml(part)}">${escapeHtml(part)}</a>` : escapeHtml(part)).join('')

const show = ({ data }: ReceivedMail): string => {
  const { headers, text } = simpleParser(data)
  return `<article><h2>${escapeHtml(headers.subject ?? '')}</h2><pre>${linked(text)}</pre></article>`
}

const mailbox = (mails: readonly ReceivedMail[], address: string): Outcome => {
  const own = mails.filter(({ to }) => to.includes(address)).slice(-mostShown).reverse()
  const head = '<p class="note">Nothing was mailed: the sandbox takes it, and forgets it at the next start.</p>'
  return page(`Mail to ${address}, in the sandbox`, head, own.map(show).join('') || '<p>No mail has arrived yet.</p>')
}

/** A page with the mails to an address, for whoever has its key. */
export const buildMailboxes = (mails: readonly ReceivedMail[], secret: string): FastifyInstance =>
  buildWire({}, async ({ url }) => {
    const address = readerOf(secret, url.split('?')[0]?.split('/')[2] ?? '')
    return address === undefined ? noPage() : mailbox(mails, address)
  })
