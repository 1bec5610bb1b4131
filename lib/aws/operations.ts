import { performCall, type End, type ProviderCall } from '../../db/effects.js'
import { fieldsOf } from '../../schemas/unknown.js'
import { isNeverSent, isRefusal } from '../outbound/errors.js'
import { isNotStarted } from './not-started.js'
import { stackOf } from './stack.js'

const reads = /^(Describe|List|Get|Filter|BatchGet|Head|Lookup|Search|StartLiveTail|AssumeRole|Simulate)/

/** @returns whether an operation of AWS only reads; what is not known to is taken for a write */
export const isRead = (operation: string): boolean => reads.test(operation)

/** @returns whether the end of an attempt shows that AWS did nothing */
const isUndone = (end: End<object>): boolean => {
  if (!('error' in end)) return false
  // What the SDK throws is read with care: every field may be missing.
  const { $metadata }: { $metadata?: { httpStatusCode?: number } } = Object(end.error)
  return isRefusal($metadata?.httpStatusCode) || isNeverSent(end.error) || isNotStarted(end.error)
}

/** With which credential a client sends; for the record. */
export interface UsedCredential {
  account_id: string
  region: string
  credential: string
  role_arn: string | null
  role_session: string | null
}

const describe = (service: string, commandName: string, used: UsedCredential | undefined) =>
  (end: End<object>): ProviderCall => {
    // What the SDK returns and throws is read with care: every field may be missing.
    const source: { $metadata?: { requestId?: string, httpStatusCode?: number } } =
      Object('error' in end ? end.error : fieldsOf(end.value).output)
    return {
      provider: 'aws',
      operation: `${service}:${commandName.replace(/Command$/, '')}`,
      request_id: source.$metadata?.requestId ?? null,
      status: source.$metadata?.httpStatusCode ?? null,
      ...used
    }
  }

/** Makes each attempt of a client's writes pass the point of no return: behind the signature, before the wire. */
export const countWrites = <Client extends { middlewareStack: object }>(client: Client, service: string,
  used?: UsedCredential): Client => {
  const stack = stackOf(client)
  stack.add((next, { commandName = '' }) => isRead(commandName)
    ? next
    : (args) => performCall(() => next(args), isUndone, describe(service, commandName, used)),
  { step: 'deserialize', priority: 'high', name: 'stewardCountWrites' })
  return client
}
