import { setTimeout as sleep } from 'node:timers/promises'
import type { Bucket } from './bucket.js'
import type { Mode, ServiceName, Services } from './clients.js'
import type { HeldKeys } from './credentials.js'
import { toAwsError } from './errors.js'

export interface Guard {
  account_id: string
  region: string
  service: ServiceName
  mode: Mode
  bucket: Bucket
  keys: HeldKeys
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

type Send = (args: object) => Promise<object>

/** The part of a client's stack that all services share; their own types differ by their commands only. */
interface Stack {
  add (middleware: (next: Send, context: { commandName?: string }) => Send,
    options: { step: 'initialize', priority: 'high', name: string }): void
}

/** Puts around every call of a client: the rate, one refresh of expired credentials, and our own errors. */
export const guard = <Name extends ServiceName>(client: Services[Name], around: Guard): Services[Name] => {
  const { mode, bucket, keys } = around
  const stack = client.middlewareStack as unknown as Stack
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
  return client
}
