import { Type } from '@sinclair/typebox'
import { emit, headersOf, redeliver } from '../hooks/deliver.js'
import { pingPayload } from '../hooks/payloads.js'
import { notFound } from '../core/errors.js'
import { ok, operation, readBody, repositoryOf, type Call } from '../core/operation.js'
import { page } from '../core/paging.js'
import { fullNameOf, type Delivery, type Hook, type Repository } from '../core/world.js'
import { stageOf } from './stage.js'

const NewHook = Type.Object({
  config: Type.Object({ url: Type.String({ pattern: '^https?://' }), secret: Type.Optional(Type.String()) }),
  events: Type.Optional(Type.Array(Type.String())),
  active: Type.Optional(Type.Boolean())
})

function showHook ({ origin, sandbox: { world } }: Call, repository: Repository, hook: Hook) {
  const url = `${origin}/api/v3/repos/${fullNameOf(world, repository)}/hooks/${hook.id}`
  const last = world.deliveries.find(({ hook_id }) => hook_id === hook.id)
  return {
    type: 'Repository',
    id: hook.id,
    name: 'web',
    active: hook.active,
    events: hook.events,
    config: { url: hook.url, content_type: 'json', insecure_ssl: '0', ...(hook.secret && { secret: '********' }) },
    url,
    deliveries_url: `${url}/deliveries`,
    last_response: { code: last?.status_code ?? null, status: last ? 'active' : 'unused', message: null }
  }
}

function hookOf (call: Call, repository: Repository): Hook {
  const hook = repository.hooks.find(({ id }) => String(id) === call.params.hook_id)
  if (!hook) throw notFound()
  return hook
}

function createHook (call: Call) {
  const repository = repositoryOf(call, 'admin')
  const { config, events = ['push'], active = true } = readBody(call, NewHook)
  const hook = { id: call.sandbox.world.nextId(), url: config.url, secret: config.secret ?? '', active, events }
  repository.hooks.push(hook)
  emit(call.sandbox, repository, 'ping', pingPayload(stageOf(call), repository, hook.id))
  return { status: 201, body: showHook(call, repository, hook) }
}

const showDelivery = (delivery: Delivery) => {
  const { id, guid, delivered_at, redelivery, duration, status, status_code, event, action, repository_id } = delivery
  return {
    id,
    guid,
    delivered_at,
    redelivery,
    duration,
    status,
    status_code,
    event,
    action,
    installation_id: null,
    repository_id,
    throttled_at: null
  }
}

function deliveryOf (call: Call, hook: Hook): Delivery {
  const found = call.sandbox.world.deliveries.find(({ id, hook_id }) =>
    hook_id === hook.id && String(id) === call.params.delivery_id)
  if (!found) throw notFound()
  return found
}

function listDeliveries (call: Call) {
  const hook = hookOf(call, repositoryOf(call, 'admin'))
  const found = call.sandbox.world.deliveries.filter(({ hook_id }) => hook_id === hook.id)
  return page(call, found.map(showDelivery))
}

function getDelivery (call: Call) {
  const hook = hookOf(call, repositoryOf(call, 'admin'))
  const delivery = deliveryOf(call, hook)
  const request = { headers: headersOf(hook, delivery), payload: JSON.parse(delivery.body) as unknown }
  return ok({ ...showDelivery(delivery), url: hook.url, request, response: { headers: {}, payload: '' } })
}

function redeliverOne (call: Call) {
  const hook = hookOf(call, repositoryOf(call, 'admin'))
  redeliver(call.sandbox, hook, deliveryOf(call, hook))
  return { status: 202, body: {} }
}

function listHooks (call: Call) {
  const repository = repositoryOf(call, 'admin')
  return page(call, repository.hooks.map((hook) => showHook(call, repository, hook)))
}

export const hookOperations = [
  operation('listHooks', 'GET', '{repo}/hooks', listHooks),
  operation('createHook', 'POST', '{repo}/hooks', createHook),
  operation('listDeliveries', 'GET', '{repo}/hooks/{hook_id}/deliveries', listDeliveries),
  operation('getDelivery', 'GET', '{repo}/hooks/{hook_id}/deliveries/{delivery_id}', getDelivery),
  operation('redeliver', 'POST', '{repo}/hooks/{hook_id}/deliveries/{delivery_id}/attempts', redeliverOne)
]
