import type { SendMailOptions } from 'nodemailer'
import { performCall, type End } from '../../db/effects.js'
import { messageOf } from '../../schemas/thrown.js'
import { fieldsOf } from '../../schemas/unknown.js'
import { isNeverSent } from '../outbound/never-sent.js'
import { domainOf } from './address.js'
import type { MailServer } from './server.js'

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
