import { setTimeout as sleep } from 'node:timers/promises'
import type { Bucket } from './bucket.js'
import type { Mode, ServiceName, Services } from './clients.js'
import type { HeldKeys } from './credentials.js'
import { AwsUnreachable } from '../../schemas/cloud/errors.js'
import { toAwsError } from './errors.js'
import { stackOf } from './stack.js'

export interface Guard {
  account_id: string
  region: string
  service: ServiceName
  mode: Mode
  bucket: Bucket
  keys: HeldKeys
  /** Aborted when the account was changed or removed: what still reads it stops. */
  signal: AbortSignal
}

const nameOf = (error: unknown) => error instanceof Error ? error.name : ''
const throttles = /^(Throttl|TooManyRequests|RequestLimitExceeded)/
const pausesMs = [500, 1_500]

/** A throttled write was not carried out, so this one failure may be repeated. */
const repeatWrite = async <T>(send: () => Promise<T>, repeatable: boolean): Promise<T> => {
  for (const pause of repeatable ? pausesMs : []) {
    try {
      return await send()
    } catch (error) {
      if (!throttles.test(nameOf(error))) throw error
      await sleep(pause)
    }
  }
  return send()
}

const refreshOnce = async <T>(send: () => Promise<T>, keys: HeldKeys): Promise<T> => {
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
  const { mode, bucket, keys } = around
  const stack = stackOf(client)
  stack.add((next, context) => async (args) => {
    const operation = (context.commandName ?? '').replace(/Command$/, '')
    await bucket.take()
    try {
      const repeatable = mode === 'write' && operation !== 'Invoke'
      return await refreshOnce(() => repeatWrite(() => next(args), repeatable), keys)
    } catch (error) {
      throw toAwsError(error, { ...around, operation })
    }
  }, { step: 'initialize', priority: 'high', name: 'stewardGuard' })
  // Low: inside the SDK's own repeats.
  stack.add((next) => async (args) => {
    requireCurrent(around)
    return next(args)
  }, { step: 'finalizeRequest', priority: 'low', name: 'stewardCurrent' })
  return client
}
