import type { FastifyInstance } from 'fastify'
import { Type } from '@sinclair/typebox'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type { ModelInfo } from '@anthropic-ai/sdk/resources/models'
import { ApiError } from './api-error.js'

const known = [
  ['claude-opus-5-5', 'Claude Opus 5.5', 'opus', '2026-10-01'],
  ['claude-sonnet-5-5', 'Claude Sonnet 5.5', 'sonnet', '2026-09-15'],
  ['claude-haiku-5-5', 'Claude Haiku 5.5', 'haiku', '2026-09-15'],
  ['claude-haiku-4-5-20251001', 'Claude Haiku 4.5', 'haiku', '2025-10-01']
] as const

const models: ModelInfo[] = known.map(([id, name, line, created]) => ({
  type: 'model',
  id,
  display_name: `${name} (sandbox, not a language model)`,
  line,
  created_at: `${created}T00:00:00Z`,
  lifecycle: 'active',
  deprecated_at: null,
  retires_at: null,
  max_input_tokens: 200_000,
  max_tokens: 64_000,
  capabilities: null
}))

const Page = Type.Object({
  limit: Type.Optional(Type.String({ pattern: '^\\d+$' })),
  after_id: Type.Optional(Type.String()),
  before_id: Type.Optional(Type.String())
})

/** GET /v1/models and GET /v1/models/{model}. */
export function modelRoutes (instance: FastifyInstance) {
  const app = instance.withTypeProvider<TypeBoxTypeProvider>()

  app.get('/v1/models', { schema: { querystring: Page } }, async ({ query }) => {
    const after = models.findIndex(({ id }) => id === query.after_id) + 1
    const before = models.findIndex(({ id }) => id === query.before_id)
    const rest = models.slice(after, before === -1 ? undefined : before)
    const data = rest.slice(0, Number(query.limit ?? 20))
    const ends = { first_id: data[0]?.id ?? null, last_id: data.at(-1)?.id ?? null }
    return { data, has_more: data.length < rest.length, ...ends }
  })

  app.get('/v1/models/:model', { schema: { params: Type.Object({ model: Type.String() }) } }, async ({ params }) => {
    const model = models.find(({ id }) => id === params.model)
    if (!model) throw new ApiError(404, `model: ${params.model}`)
    return model
  })
}
