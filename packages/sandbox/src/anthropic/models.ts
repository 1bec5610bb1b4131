import type { FastifyInstance } from 'fastify'
import { Type } from '@sinclair/typebox'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type { ModelCapabilities, ModelInfo } from '@anthropic-ai/sdk/resources/models'
import { ApiError } from './api-error.js'

type Lifecycle = ModelInfo['lifecycle']
type Thinks = keyof ModelCapabilities['thinking']['types']

const efforts = ['low', 'medium', 'high', 'xhigh', 'max'] as const
const modern: Thinks[] = ['adaptive', 'disabled', 'between_tools']

interface Known {
  id: string
  name: string
  line: string
  created: string
  stage?: Lifecycle
  thinks: Thinks[]
  effort: boolean
}

const known: Known[] = [
  { id: 'claude-opus-5-5', name: 'Opus 5.5', line: 'opus', created: '2026-10-01', thinks: modern, effort: true },
  { id: 'claude-opus-5', name: 'Opus 5', line: 'opus', created: '2026-06-01', thinks: modern, effort: true },
  { id: 'claude-sonnet-5-5', name: 'Sonnet 5.5', line: 'sonnet', created: '2026-09-15', thinks: modern, effort: true },
  { id: 'claude-haiku-5-5', name: 'Haiku 5.5', line: 'haiku', created: '2026-09-15', thinks: modern, effort: true },
  {
    id: 'claude-haiku-4-5-20251001',
    name: 'Haiku 4.5',
    line: 'haiku',
    created: '2025-10-01',
    thinks: ['enabled', 'disabled'],
    effort: false
  },
  {
    id: 'claude-sonnet-4-20250514',
    name: 'Sonnet 4',
    line: 'sonnet',
    created: '2025-05-14',
    stage: 'retired',
    thinks: ['enabled', 'disabled'],
    effort: false
  }
]

const yes = { supported: true }
const no = { supported: false }

function capabilities ({ thinks, effort }: Known): ModelCapabilities {
  const levels = Object.fromEntries(efforts.map((level) => [level, { supported: effort }]))
  const types = (['adaptive', 'between_tools', 'disabled', 'enabled'] as const)
    .map((type) => [type, { supported: thinks.includes(type) }])
  return {
    batch: yes,
    citations: yes,
    code_execution: no,
    context_management: {
      clear_thinking_20251015: null, clear_tool_uses_20250919: null, compact_20260112: null, ...no
    },
    // Both have an entry for each of their names.
    effort: { ...levels, supported: effort } as ModelCapabilities['effort'],
    image_input: yes,
    pdf_input: yes,
    server_tools: { code_execution: no, web_search: no, ...no },
    structured_outputs: yes,
    thinking: { ...yes, types: Object.fromEntries(types) as ModelCapabilities['thinking']['types'] }
  }
}

const models: ModelInfo[] = known.map((model) => ({
  type: 'model',
  id: model.id,
  display_name: `Claude ${model.name} (sandbox, not a language model)`,
  line: model.line,
  created_at: `${model.created}T00:00:00Z`,
  lifecycle: model.stage ?? 'active',
  deprecated_at: null,
  retires_at: null,
  max_input_tokens: 200_000,
  max_tokens: 64_000,
  capabilities: capabilities(model)
} as ModelInfo)) // The lines are those of the type.

const find = (id: string) => models.find((model) => model.id === id)

/** @returns what a model can do; undefined when it is not listed */
export const capabilitiesOf = (id: string) => find(id)?.capabilities ?? undefined

/** @returns whether it can be asked: it is listed, or one of the tests' own */
export const isKnown = (id: string): boolean => /^sandbox/.test(id) || (find(id) !== undefined && !isRetired(id))

export const isRetired = (id: string): boolean => find(id)?.lifecycle === 'retired'

const Page = Type.Object({
  limit: Type.Optional(Type.String({ pattern: '^\\d+$' })),
  after_id: Type.Optional(Type.String()),
  before_id: Type.Optional(Type.String())
})

/** GET /v1/models and GET /v1/models/{model}. */
export function modelRoutes (instance: FastifyInstance) {
  const app = instance.withTypeProvider<TypeBoxTypeProvider>()

  app.get('/v1/models', { schema: { querystring: Page } }, async ({ query }) => {
    const listed = models.filter(({ lifecycle }) => lifecycle !== 'retired')
    const after = listed.findIndex(({ id }) => id === query.after_id) + 1
    const before = listed.findIndex(({ id }) => id === query.before_id)
    const rest = listed.slice(after, before === -1 ? undefined : before)
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
