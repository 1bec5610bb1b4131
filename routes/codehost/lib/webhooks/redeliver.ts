import type { FastifyInstance } from 'fastify'
import { Type } from '@sinclair/typebox'
import { listArrived } from '../../../../db/codehost/receipts.js'
import { listHooked } from '../../../../db/codehost/repositories.js'
import type { CodehostClient } from '../../../../lib/codehost/client.js'
import type { Next } from '../../../../lib/codehost/cache.js'
import { HostDeliveries, HostHooks, type HostDelivery } from '../../../../schemas/codehost/events.js'
import { accessFor, type Deps as AccessDeps } from '../access.js'
import { repositoryNameOf, type RepositoryName } from '../repositories/find-repository.js'
import { messageOf } from '../../../../schemas/unknown.js'

type Deps = AccessDeps & Pick<FastifyInstance, 'workspaces' | 'log'>

/** How long the code host keeps deliveries. */
const keptMs = 3 * 86_400_000
const maxPages = 3
const pageSize = 100
/** A delivery that was refused so often will be refused again. */
const maxAttempts = 4
const maxAtOnce = 50

const isDelivered = ({ status_code: status }: HostDelivery) => status >= 200 && status < 300

/** @returns one attempt of each delivery that never arrived and can be redelivered */
export const pickLost = (deliveries: HostDelivery[], now: number): HostDelivery[] => {
  const attempts = new Map<string, HostDelivery[]>()
  for (const delivery of deliveries) attempts.set(delivery.guid, [...attempts.get(delivery.guid) ?? [], delivery])
  return [...attempts.values()].flatMap((tries) => {
    const [first] = tries
    const young = tries.some((one) => now - Date.parse(one.delivered_at) < keptMs)
    return first && young && tries.length < maxAttempts && !tries.some(isDelivered) ? [first] : []
  }).slice(0, maxAtOnce)
}

const byGuid = ({ guid }: HostDelivery) => guid

const listDeliveries = async (client: CodehostClient, hook: RepositoryName & { hook_id: number }):
Promise<HostDelivery[]> => {
  const found: HostDelivery[] = []
  let next: Next | null = {}
  for (let i = 0; i < maxPages && next; i++) {
    const answer: { data: HostDelivery[], next: Next | null } = await client.read(
      'GET /repos/{owner}/{repo}/hooks/{hook_id}/deliveries', { ...hook, per_page: pageSize, ...next }, HostDeliveries)
    found.push(...answer.data)
    next = answer.next
  }
  return found
}

/** @returns how many redeliveries of the repository's webhooks were requested */
const redeliverOf = async (deps: Deps, client: CodehostClient, name: RepositoryName, workspaceId: string):
Promise<number> => {
  const ours = `${deps.workspaces.originOf(workspaceId)}/webhooks/codehost`
  const { data: hooks } = await client.read('GET /repos/{owner}/{repo}/hooks', { ...name, per_page: 100 }, HostHooks)
  let count = 0
  for (const { id } of hooks.filter(({ active, config }) => active !== false && config?.url === ours)) {
    const hook = { ...name, hook_id: id }
    const lost = pickLost(await listDeliveries(client, hook), Date.now())
    const arrived = new Set(await listArrived(deps.db, workspaceId, lost.map(byGuid)))
    for (const { id: delivery_id } of lost.filter(({ guid }) => !arrived.has(guid))) {
      await client.write('POST /repos/{owner}/{repo}/hooks/{hook_id}/deliveries/{delivery_id}/attempts',
        { ...hook, delivery_id }, Type.Unknown())
      count++
    }
  }
  return count
}

/** Requests redeliveries of what the code host could not deliver: it does not retry by itself. */
export const redeliver = async (deps: Deps): Promise<void> => {
  const hooked = await listHooked(deps.db, deps.codehostGrants.host)
  for (const { id, full_name: fullName, user_id, workspace_id } of hooked) {
    try {
      const { client } = await accessFor(deps, { workspace_id, user_id })
      const count = await redeliverOf(deps, client, repositoryNameOf(fullName), workspace_id)
      if (count > 0) deps.log.info({ repo_id: id, count }, 'redelivery of webhooks requested')
    } catch (error) {
      deps.log.warn({ repo_id: id, reason: messageOf(error) }, 'lost webhooks not checked')
    }
  }
}
