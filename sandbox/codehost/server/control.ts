import { Type, type Static } from '@sinclair/typebox'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { resetSandbox, type Sandbox } from '../sandbox.js'
import { FAULT_KINDS } from './faults.js'
import { hookControl } from './hook-control.js'
import { peopleControl } from './people-control.js'
import { worldControl } from './world-control.js'

const Fault = Type.Object({
  kind: Type.Union(FAULT_KINDS.map((kind) => Type.Literal(kind))),
  operation: Type.Optional(Type.String()),
  times: Type.Optional(Type.Integer({ minimum: 0 })),
  after: Type.Optional(Type.Integer({ minimum: 0 })),
  delay_ms: Type.Optional(Type.Integer({ minimum: 0 })),
  match: Type.Optional(Type.String()),
  executed: Type.Optional(Type.Boolean()),
  retry_after: Type.Optional(Type.Integer({ minimum: 0 })),
  url: Type.Optional(Type.String()),
  bytes: Type.Optional(Type.Integer({ minimum: 1 })),
  status: Type.Optional(Type.Integer({ minimum: 200, maximum: 599 })),
  message: Type.Optional(Type.String())
}, { additionalProperties: false })

const ClockChange = Type.Object({
  advance_ms: Type.Optional(Type.Integer({ minimum: 0 })),
  frozen: Type.Optional(Type.Boolean())
}, { additionalProperties: false })

const SettingsChange = Type.Partial(Type.Object({
  expiring_tokens: Type.Boolean(),
  token_seconds: Type.Integer({ minimum: 1 }),
  rate_limits: Type.Boolean(),
  limit: Type.Integer({ minimum: 1 }),
  require_pkce: Type.Boolean()
}), { additionalProperties: false })

const CallsQuery = Type.Object({
  operation: Type.Optional(Type.String()),
  after: Type.Optional(Type.Integer())
})

/** The path by which tests steer the sandbox: nothing here exists at the code host. */
export const control: FastifyPluginAsyncTypebox<{ sandbox: Sandbox }> = async (app, { sandbox }) => {
  for (const part of [worldControl, peopleControl, hookControl]) app.register(part, { sandbox })
  app.post('/reset', async () => {
    resetSandbox(sandbox)
    return { ok: true }
  })

  app.get('/clock', async () => clockOf(sandbox))
  app.post('/clock', { schema: { body: ClockChange } }, async ({ body }) => changeClock(sandbox, body))

  app.get('/settings', async () => sandbox.settings)
  app.post('/settings', { schema: { body: SettingsChange } }, async ({ body }) =>
    Object.assign(sandbox.settings, body))

  app.get('/faults', async () => ({ faults: sandbox.faults.list() }))
  app.post('/faults', { schema: { body: Fault } }, async ({ body }) => sandbox.faults.add(body))
  app.delete('/faults', async () => {
    sandbox.faults.clear()
    return { ok: true }
  })

  app.get('/calls', { schema: { querystring: CallsQuery } }, async ({ query }) => {
    const calls = sandbox.journal.find(query)
    return { count: calls.length, calls, counts: sandbox.journal.counts() }
  })
  app.delete('/calls', async () => {
    sandbox.journal.clear()
    return { ok: true }
  })
}

function clockOf ({ world }: Sandbox) {
  return { now: world.clock.iso(), frozen: world.clock.frozen }
}

function changeClock (sandbox: Sandbox, { advance_ms: advanceMs, frozen }: Static<typeof ClockChange>) {
  const { clock } = sandbox.world
  if (frozen === true) clock.freeze()
  if (frozen === false) clock.thaw()
  if (advanceMs !== undefined) clock.advance(advanceMs)
  return clockOf(sandbox)
}
