import { createHmac, randomUUID } from 'node:crypto'
import { isoOf } from '../core/clock.js'
import type { Delivery, Hook, Repository } from '../core/world.js'
import type { Sandbox } from '../sandbox.js'

const kept = 1000
const timeoutMs = 10_000

export interface Headers extends Record<string, string> {}

const hmac = (algorithm: string, secret: string, body: string): string =>
  `${algorithm}=${createHmac(algorithm, secret).update(body).digest('hex')}`

/** @returns the headers with which the code host sends this delivery */
export function headersOf ({ id, secret }: Hook, { guid, event, repository_id, body }: Delivery): Headers {
  return {
    'content-type': 'application/json',
    'user-agent': 'GitHub-Hookshot/5a4d0e1',
    'x-github-delivery': guid,
    'x-github-event': event,
    'x-github-hook-id': String(id),
    'x-github-hook-installation-target-id': String(repository_id),
    'x-github-hook-installation-target-type': 'repository',
    'x-hub-signature': hmac('sha1', secret, body),
    'x-hub-signature-256': hmac('sha256', secret, body)
  }
}

/** Delivers an event to every hook of the repository; only `settle` awaits the responses. */
export function emit (sandbox: Sandbox, repository: Repository, event: string, payload: Record<string, unknown>): void {
  for (const hook of repository.hooks) {
    if (!hook.active || !(hook.events.includes('*') || hook.events.includes(event) || event === 'ping')) continue
    const delivery = record(sandbox, hook, {
      guid: randomUUID(),
      repository_id: repository.id,
      event,
      action: typeof payload.action === 'string' ? payload.action : null,
      redelivery: false,
      body: JSON.stringify(payload)
    })
    send(sandbox, hook, delivery)
  }
}

/** Repeats a delivery under its own GUID. */
export function redeliver (sandbox: Sandbox, hook: Hook, { guid, repository_id, event, action, body }: Delivery): void {
  send(sandbox, hook, record(sandbox, hook, { guid, repository_id, event, action, body, redelivery: true }))
}

type NewDelivery = Pick<Delivery, 'guid' | 'repository_id' | 'event' | 'action' | 'redelivery' | 'body'>

function record ({ world }: Sandbox, hook: Hook, input: NewDelivery): Delivery {
  const delivery: Delivery = {
    ...input,
    id: world.nextId(),
    hook_id: hook.id,
    delivered_at: isoOf(world.clock.now()),
    duration: 0,
    status: 'pending',
    status_code: 0
  }
  world.deliveries.unshift(delivery)
  world.deliveries.length = Math.min(world.deliveries.length, kept)
  return delivery
}

function send (sandbox: Sandbox, hook: Hook, delivery: Delivery): void {
  const began = Date.now()
  const sent = fetch(hook.url, {
    method: 'POST',
    body: delivery.body,
    headers: headersOf(hook, delivery),
    redirect: 'manual',
    signal: AbortSignal.timeout(timeoutMs)
  }).then(async (response) => {
    await response.body?.cancel()
    delivery.status_code = response.status
    delivery.status = response.ok ? 'OK' : `Invalid HTTP Response: ${response.status}`
  }, (error: Error) => {
    delivery.status = error.name === 'TimeoutError' ? 'timed out' : 'failed to connect to host'
  }).then(() => {
    delivery.duration = (Date.now() - began) / 1000
    sandbox.underWay.delete(sent)
  })
  sandbox.underWay.add(sent)
}

/** Waits for the responses to all deliveries. */
export const settle = async ({ underWay }: Sandbox): Promise<void> => { await Promise.all(underWay) }
