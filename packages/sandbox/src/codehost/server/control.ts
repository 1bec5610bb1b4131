import { Type } from '@sinclair/typebox'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { commonControl } from '../../control.js'
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
  message: Type.Optional(Type.String()),
  headers: Type.Optional(Type.Record(Type.String(), Type.String())),
  body: Type.Optional(Type.Record(Type.String(), Type.Unknown()))
}, { additionalProperties: false })

const SettingsChange = Type.Partial(Type.Object({
  expiring_tokens: Type.Boolean(),
  token_seconds: Type.Integer({ minimum: 1 }),
  rate_limits: Type.Boolean(),
  limit: Type.Integer({ minimum: 1 }),
  run_details: Type.Boolean(),
  require_pkce: Type.Boolean()
}), { additionalProperties: false })

/** The control path for tests; nothing here exists at the code host. */
export const control: FastifyPluginAsyncTypebox<{ sandbox: Sandbox }> = async (app, { sandbox }) => {
  for (const part of [worldControl, peopleControl, hookControl]) app.register(part, { sandbox })
  app.register(commonControl, { sandbox, reset: () => resetSandbox(sandbox) })
  app.get('/settings', async () => sandbox.settings)
  app.post('/settings', { schema: { body: SettingsChange } }, async ({ body }) =>
    Object.assign(sandbox.settings, body))

  app.post('/faults', { schema: { body: Fault } }, async ({ body }) => sandbox.faults.add(body))
}
