import { setTimeout as sleep } from 'node:timers/promises'
import type { Bucket } from './budgets.js'
import type { Mode, ServiceName, Services } from './clients.js'
import type { HeldKeys } from './credentials.js'
import { AwsTimeout, AwsUnreachable } from '../../schemas/cloud/errors.js'
import { toAwsError, type AwsCall } from './errors.js'
import { isRead } from './operations.js'
import { stackOf } from './stack.js'

export interface Guard {
  account_id: string
  region: string
  service: ServiceName
  mode: Mode
  /** undefined = whoever made the client has waited already. */
  bucketFor: ((operation: string) => Bucket) | undefined
  keys: HeldKeys
  /** Aborted when the account was changed or removed: what still reads it stops. */
  signal: AbortSignal
}

const nameOf = (error: unknown) => error instanceof Error ? error.name : ''
const throttles = /^(Throttl|TooManyRequests|RequestLimitExceeded)/
const pausesMs = [500, 1_500]

/** A throttled write was not carried out, so this one failure may be repeated. */
const isThrottled = (error: unknown): boolean => throttles.test(nameOf(error))

/** A read changes nothing, so whatever failed at once may be repeated. */
const isPassing = (call: AwsCall) => (error: unknown): boolean => {
  const { code, statusCode } = toAwsError(error, call)
  return statusCode >= 502 && code !== AwsTimeout.code
}

const never = () => false

const operationOf = ({ commandName = '' }: { commandName?: string }): string => commandName.replace(/Command$/, '')

/** Of a session of a write: the SDK repeats nothing there. */
const repeatableIn = (call: AwsCall): (error: unknown) => boolean => {
  if (isRead(call.operation)) return isPassing(call)
  return call.operation === 'Invoke' ? never : isThrottled
}

const repeat = async <T>(send: () => Promise<T>, isRepeatable: (error: unknown) => boolean): Promise<T> => {
  for (const pause of pausesMs) {
    try {
      return await send()
    } catch (error) {
      if (!isRepeatable(error)) throw error
      await sleep(pause)
    }
  }
  return send()
}

/** @param send sends again with new keys where AWS says that those of before have expired */
export const refreshOnce = async <T>(send: () => Promise<T>, keys: HeldKeys): Promise<T> => {
  try {
    return await send()
  } catch (error) {
    if (!/^ExpiredToken/.test(nameOf(error))) throw error
    keys.forget()
    return send()
  }
}

const requireCurrent = ({ signal, account_id, region }: Guard) => {
  if (!signal.aborted) return
  throw AwsUnreachable('The cloud account was changed or removed meanwhile; ask again', { account_id, region })
}

/**
 * Puts around every call of a client: the rate, one refresh of expired credentials, and our own errors; around every
 * attempt, that the account is still the one that the client was made for.
 */
export const guard = <Name extends ServiceName>(client: Services[Name], around: Guard): Services[Name] => {
  const { mode, bucketFor, keys } = around
  const stack = stackOf(client)
  stack.add((next, context) => async (args) => {
    const operation = operationOf(context)
    await bucketFor?.(operation).take()
    try {
      const isRepeatable = mode === 'write' ? repeatableIn({ ...around, operation }) : never
      return await refreshOnce(() => repeat(() => next(args), isRepeatable), keys)
    } catch (error) {
      throw toAwsError(error, { ...around, operation })
    }
  }, { step: 'initialize', priority: 'high', name: 'stewardGuard' })
  // Low: inside the SDK's own repeats.
  stack.add((next, context) => async (args) => {
    requireCurrent(around)
    try {
      return await next(args)
    } catch (error) {
      if (isThrottled(error)) bucketFor?.(operationOf(context)).noteThrottled()
      throw error
    }
  }, { step: 'finalizeRequest', priority: 'low', name: 'stewardCurrent' })
  return client
}
