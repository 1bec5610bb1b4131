import { Type } from '@sinclair/typebox'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { SANDBOX_WEBHOOK_SECRET } from '../constants.js'
import { emit, headersOf, redeliver, settle } from '../hooks/deliver.js'
import { common } from '../hooks/payloads.js'
import type { Delivery } from '../core/world.js'
import type { Sandbox } from '../sandbox.js'
import { named, stage, Unknown } from './control-stage.js'

const closed = { additionalProperties: false }

const Hook = Type.Object({
  url: Type.String({ pattern: '^https?://' }),
  secret: Type.String({ default: SANDBOX_WEBHOOK_SECRET }),
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

/** Where webhooks go, and what was sent. */
export const hookControl: FastifyPluginAsyncTypebox<{ sandbox: Sandbox }> = async (app, { sandbox }) => {
  const hookOf = ({ hook_id }: Delivery) =>
    [...sandbox.world.repositories.values()].flatMap(({ hooks }) => hooks).find(({ id }) => id === hook_id)

  /** Sets the one hook of every repository of an organization. */
  app.put('/hook', { schema: { body: Hook } }, async ({ body }) => {
    for (const repository of sandbox.world.repositories.values()) {
      if (!sandbox.world.orgs.has(repository.owner_id)) continue
      repository.hooks = [{ ...body, id: repository.hooks[0]?.id ?? sandbox.world.nextId() }]
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

  /** Everything that was sent, newest first, with the headers that it was sent with. */
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
