import type { SendMailOptions } from 'nodemailer'
import type { FastifyInstance } from 'fastify'
import { performCall, type End } from '../../db/effects.js'
import { messageOf, fieldsOf } from '../../schemas/unknown.js'
import { isNeverSent } from '../outbound/errors.js'

/** A mail to one address: `name@host`, of which nothing is a list, a route or a second header. */
export const isMailAddress = (text: string): boolean =>
  text.length <= 254 && /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*$/.test(text)

/** @returns the domain of an address, which may be in angle brackets after a name */
const domainOf = (address: string): string =>
  address.slice(address.lastIndexOf('@') + 1).replace('>', '').trim() || 'localhost'

const maxSubject = 200

/** A header is one line, whatever a title has in it. */
export const oneLine = (text: string): string => text.replace(/[\x00-\x1f\x7f\u2028\u2029]+/g, ' ').slice(0, maxSubject)
  .toWellFormed()

/** Where mail is handed in, and from whom it is. */
interface MailServer { url: string, from: string }

/** @returns the host's server, or the one of the sandbox on this machine; undefined = no mail is sent */
export const mailServerOf = ({ config, sandbox }: Pick<FastifyInstance, 'config' | 'sandbox'>):
MailServer | undefined => {
  const { SMTP_URL: url, MAIL_FROM: from } = config
  return url !== undefined && from !== undefined ? { url, from } : sandbox.mail
}

const timeoutMs = 15_000

/** `refused`: the server will not take it later either; `busy`: it may; `unsent`: it has none of it; else unknown. */
export type MailFailure = 'unconfigured' | 'refused' | 'busy' | 'unsent' | 'unknown'

export class MailError extends Error {
  constructor (readonly failure: MailFailure, message: string) {
    super(message)
    this.name = 'MailError'
  }
}

/** Answers that are about our sign-in: a person corrects that, and the mail is good. */
const signInCodes = new Set([530, 534, 535])

/** A server answers 5xx to what it will never take, 4xx to what it may take later. */
const failureOf = (error: unknown): MailFailure => {
  const { responseCode: code } = fieldsOf(error)
  if (typeof code === 'number' && signInCodes.has(code)) return 'unsent'
  if (typeof code === 'number' && code >= 400) return code >= 500 ? 'refused' : 'busy'
  return isNeverSent(error) || isNeverConnected(error) ? 'unsent' : 'unknown'
}

/** The client's own codes: the name was not found, or no TCP or TLS connection came about. */
const isNeverConnected = (error: unknown): boolean => {
  const { code, syscall } = fieldsOf(error)
  return syscall === 'connect' || ['EDNS', 'ETLS', 'EAUTH'].includes(String(code))
}

type Parts = 'from' | 'to' | 'replyTo' | 'envelope' | 'subject' | 'text' | 'html' | 'headers'

export interface Mail extends Pick<SendMailOptions, Parts> {
  /** Makes the Message-ID: a repetition has the same. */
  id: string
}

const open = async (url: string) => {
  const { createTransport } = await import('nodemailer')
  return createTransport({ url, connectionTimeout: timeoutMs, greetingTimeout: timeoutMs, socketTimeout: timeoutMs })
}

const isUndone = (end: End<unknown>): boolean => 'error' in end && failureOf(end.error) !== 'unknown'

/**
 * Sends one mail.
 * @returns the recipients that the server refused, if it took the mail for others
 * @throws MailError
 */
export const submitMail = async (server: MailServer | undefined, { id, ...mail }: Mail):
Promise<{ messageId: string, rejected: string[] }> => {
  if (!server) throw new MailError('unconfigured', 'The host sends no mail')
  const { url, from } = server
  const transport = await open(url)
  const messageId = `<${id}@${domainOf(from)}>`
  // Nothing of a message is fetched from a file or an address.
  const whole = { from, ...mail, messageId, disableFileAccess: true, disableUrlAccess: true }
  const describe = () => ({ provider: 'smtp', operation: 'DATA', request_id: messageId, status: null })
  try {
    const { rejected } = await performCall(() => transport.sendMail(whole), isUndone, describe)
    return { messageId, rejected: rejected.map(String) }
  } catch (error) {
    throw new MailError(failureOf(error), messageOf(error))
  } finally {
    transport.close()
  }
}
