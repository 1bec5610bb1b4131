import { Type, type Static } from '@sinclair/typebox'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { commonControl } from '../../control.js'
import { parsePolicy, type Policy } from '../core/policy.js'
import { resetSandbox, type Sandbox } from '../sandbox.js'
import { FAULT_KINDS } from './faults.js'
import { putCosts } from '../seed/costs.js'
import { describeState } from './state.js'

const Fault = Type.Object({
  kind: Type.Union(FAULT_KINDS.map((kind) => Type.Literal(kind))),
  service: Type.Optional(Type.String()),
  operation: Type.Optional(Type.String()),
  times: Type.Optional(Type.Integer({ minimum: 0 })),
  after: Type.Optional(Type.Integer({ minimum: 0 })),
  delay_ms: Type.Optional(Type.Integer({ minimum: 0 })),
  match: Type.Optional(Type.String()),
  executed: Type.Optional(Type.Boolean()),
  code: Type.Optional(Type.String()),
  message: Type.Optional(Type.String()),
  status: Type.Optional(Type.Integer({ minimum: 400, maximum: 599 }))
}, { additionalProperties: false })

const CAUSES = [
  'identity_policy', 'explicit_deny', 'scp', 'boundary', 'session_policy', 'resource_policy'
] as const

const Denial = Type.Object({
  action: Type.String(),
  resource: Type.String({ default: '*' }),
  cause: Type.Union(CAUSES.map((cause) => Type.Literal(cause)), { default: 'identity_policy' }),
  principal: Type.Optional(Type.String())
}, { additionalProperties: false })

const RoleChange = Type.Object({
  role_arn: Type.String({ pattern: '^arn:aws:iam::\\d{12}:role/.+$' }),
  external_id: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  enforce_external_id: Type.Optional(Type.Boolean()),
  max_session_seconds: Type.Optional(Type.Integer({ minimum: 3600, maximum: 43200 })),
  tag_session: Type.Optional(Type.Boolean()),
  set_source_identity: Type.Optional(Type.Boolean()),
  policy: Type.Optional(Type.Union([Type.Object({}, { additionalProperties: true }), Type.Null()]))
}, { additionalProperties: false })

const CredentialChange = Type.Object({
  access_key_id: Type.String({ minLength: 16 }),
  secret_access_key: Type.String({ minLength: 1 }),
  account_id: Type.String({ pattern: '^\\d{12}$' }),
  arn: Type.Optional(Type.String())
}, { additionalProperties: false })

const Costs = Type.Object({
  lines: Type.Array(Type.Object({
    service: Type.String(),
    record_type: Type.Union((['Usage', 'Tax', 'Credit', 'Refund'] as const).map((name) => Type.Literal(name))),
    per_day: Type.Number()
  }, { additionalProperties: false }))
}, { additionalProperties: false })

/** The control path for tests; nothing here exists in AWS. */
export const control: FastifyPluginAsyncTypebox<{ sandbox: Sandbox }> = async (app, { sandbox }) => {
  app.register(identityControl, { sandbox })
  app.put('/answers', { schema: { body: Type.Object({ kept: Type.Boolean() }, { additionalProperties: false }) } }, async ({ body }) => {
    sandbox.journal.keepsAnswers = body.kept
    return body
  })
  app.get('/state', async () => describeState(sandbox))
  app.register(commonControl, { sandbox, reset: () => resetSandbox(sandbox) })
  app.post('/faults', { schema: { body: Fault } }, async ({ body }) => {
    sandbox.world.clock.settle()
    const { snapshot, ...fault } = sandbox.faults.add(body, sandbox.world.accounts)
    return fault
  })
}

/** The permissions. */
const identityControl: FastifyPluginAsyncTypebox<{ sandbox: Sandbox }> = async (app, { sandbox }) => {
  app.get('/denials', async () => ({ denials: sandbox.world.denials }))
  app.put('/denials', { schema: { body: Type.Array(Denial) } }, async ({ body }) => {
    sandbox.world.denials = body
    return { denials: body }
  })

  app.put('/missing-images', { schema: { body: Type.Array(Type.String()) } }, async ({ body }) => {
    sandbox.world.missingImages = new Set(body)
    return { missing: body }
  })

  app.put('/moved-tags', { schema: { body: Type.Record(Type.String(), Type.String()) } }, async ({ body }) => {
    sandbox.world.movedTags = new Map(Object.entries(body))
    return { moved: body }
  })

  app.put('/cache-prefixes', { schema: { body: Type.Array(Type.String()) } }, async ({ body }) => {
    sandbox.world.cachePrefixes = body
    return { prefixes: body }
  })

  app.put('/costs', { schema: { body: Costs } }, async ({ body }) => putCosts(sandbox, body.lines))
  app.put('/roles', { schema: { body: RoleChange } }, async ({ body }) => putRole(sandbox, body))
  app.put('/credentials', { schema: { body: CredentialChange } }, async ({ body }) => putCredential(sandbox, body))
  app.delete('/credentials/:id', { schema: { params: Type.Object({ id: Type.String() }) } }, async ({ params }) => {
    return { deleted: sandbox.world.credentials.delete(params.id) }
  })
}

/** Null takes the role's policy away: it allows everything again. */
function readPolicy (policy: object | null): Policy | undefined {
  return policy === null ? undefined : parsePolicy(JSON.stringify(policy))
}

function putRole ({ world }: Sandbox, body: Static<typeof RoleChange>) {
  const arn = body.role_arn
  const known = world.roles.get(arn)
  const role = {
    arn,
    id: known?.id ?? `AROA${world.ids.upper(17)}`,
    accountId: arn.split(':')[4] ?? '',
    externalId: body.external_id === undefined ? known?.externalId ?? null : body.external_id,
    enforceExternalId: body.enforce_external_id ?? known?.enforceExternalId ?? true,
    maxSessionSeconds: body.max_session_seconds ?? known?.maxSessionSeconds ?? 3600,
    mayTag: body.tag_session ?? known?.mayTag ?? true,
    maySetSourceIdentity: body.set_source_identity ?? known?.maySetSourceIdentity ?? true,
    policy: body.policy === undefined ? known?.policy : readPolicy(body.policy)
  }
  world.roles.set(arn, role)
  return role
}

function putCredential ({ world }: Sandbox, body: Static<typeof CredentialChange>) {
  const accountId = body.account_id
  world.credentials.set(body.access_key_id, {
    accessKeyId: body.access_key_id,
    secretAccessKey: body.secret_access_key,
    accountId,
    arn: body.arn ?? `arn:aws:iam::${accountId}:user/steward-${body.access_key_id.slice(-4).toLowerCase()}`,
    userId: `AIDA${world.ids.upper(17)}`
  })
  return { ok: true }
}
