import { networkInterfaces } from 'node:os'
import { Type } from '@sinclair/typebox'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { emit, headersOf, redeliver, settle } from '../hooks/deliver.js'
import { common } from '../hooks/payloads.js'
import type { Delivery } from '../core/world.js'
import type { Sandbox } from '../sandbox.js'
import { named, stage, Unknown } from './control-stage.js'

const closed = { additionalProperties: false }

const Hook = Type.Object({
  url: Type.String({ pattern: '^https?://' }),
  secret: Type.Optional(Type.String()),
  active: Type.Boolean({ default: true }),
  events: Type.Array(Type.String(), { default: ['*'] })
}, closed)
const Send = Type.Object({
  repository: Type.String(),
  login: Type.Optional(Type.String()),
  event: Type.String(),
  /** repository, organization and sender are added where they are missing. */
  payload: Type.Record(Type.String(), Type.Unknown(), { default: {} })
}, closed)
const DeliveryParams = Type.Object({ id: Type.Integer() })

/** @returns whether the URL is on this machine: the sandbox sends webhooks nowhere else */
const isHere = (url: string): boolean => {
  if (!URL.canParse(url)) return false
  const host = new URL(url).hostname.replace(/^\[|\]$/g, '')
  if (host === 'localhost' || /^127(\.\d+){3}$/.test(host)) return true
  return Object.values(networkInterfaces()).some((own) => own?.some(({ address }) => address === host))
}

/** The targets of webhooks, and the deliveries. */
export const hookControl: FastifyPluginAsyncTypebox<{ sandbox: Sandbox }> = async (app, { sandbox }) => {
  const hookOf = ({ hook_id }: Delivery) =>
    [...sandbox.world.repositories.values()].flatMap(({ hooks }) => hooks).find(({ id }) => id === hook_id)

  /** Sets the one hook of every repository of an organization. */
  app.put('/hook', { schema: { body: Hook } }, async ({ body }, reply) => {
    if (!isHere(body.url)) return reply.code(400).send({ message: 'A hook of the sandbox stays on this machine' })
    for (const repository of sandbox.world.repositories.values()) {
      if (!sandbox.world.orgs.has(repository.owner_id)) continue
      const id = repository.hooks[0]?.id ?? sandbox.world.nextId()
      repository.hooks = [{ secret: sandbox.webhookSecret, ...body, id }]
    }
    return body
  })

  app.post('/send', { schema: { body: Send } }, async (request) => {
    const { repository: name, login, event, payload } = request.body
    const repository = named(sandbox, name)
    emit(sandbox, repository, event, { ...common(stage(sandbox, request, login), repository), ...payload })
    await settle(sandbox)
    return { ok: true }
  })

  /** All deliveries, newest first, with their headers. */
  app.get('/deliveries', async () => {
    await settle(sandbox)
    const items = sandbox.world.deliveries.map((delivery) => {
      const hook = hookOf(delivery)
      return { ...delivery, headers: hook ? headersOf(hook, delivery) : {} }
    })
    return { items }
  })

  app.post('/deliveries/:id/redeliver', { schema: { params: DeliveryParams } }, async ({ params }) => {
    const delivery = sandbox.world.deliveries.find(({ id }) => id === params.id)
    const hook = delivery && hookOf(delivery)
    if (!hook) throw new Unknown(`No delivery ${params.id}`)
    redeliver(sandbox, hook, delivery)
    await settle(sandbox)
    return { ok: true }
  })
}
