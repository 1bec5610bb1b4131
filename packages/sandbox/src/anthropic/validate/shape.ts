import { Type } from '@sinclair/typebox'
import { invalid } from '../api-error.js'

const closed = { additionalProperties: false }
const open = { additionalProperties: true }
const OrNull = <T extends ReturnType<typeof Type.Unsafe>>(schema: T) => ({ ...schema, nullable: true })

const CacheControl = Type.Unsafe({
  type: 'object',
  required: ['type'],
  properties: { type: { const: 'ephemeral' }, ttl: { enum: ['5m', '1h'] } },
  additionalProperties: false,
  nullable: true
})

const Message = Type.Object({
  role: Type.Unsafe({ enum: ['user', 'assistant', 'system'] }), content: Type.Unknown()
}, closed)

const properties = {
  model: Type.String({ minLength: 1 }),
  messages: Type.Array(Message, { maxItems: 100_000 }),
  system: Type.Optional(Type.Unknown()),
  tools: Type.Optional(Type.Array(Type.Object({}, open))),
  tool_choice: Type.Optional(Type.Object({ type: Type.Unsafe({ enum: ['auto', 'any', 'tool', 'none'] }) }, open)),
  thinking: Type.Optional(Type.Object({
    type: Type.Unsafe({ enum: ['enabled', 'disabled', 'adaptive', 'between_tools'] })
  }, open)),
  output_config: Type.Optional(Type.Object({}, open)),
  cache_control: Type.Optional(CacheControl)
}

/** The top level of POST /v1/messages. Blocks, tools and the order of a history are checked in their own files. */
export const MessagesBody = Type.Object({
  ...properties,
  max_tokens: Type.Integer({ minimum: 0 }),
  stream: Type.Optional(Type.Boolean()),
  temperature: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
  top_p: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
  top_k: Type.Optional(Type.Integer({ minimum: 0 })),
  stop_sequences: Type.Optional(Type.Array(Type.String())),
  metadata: Type.Optional(Type.Object({ user_id: Type.Optional(OrNull(Type.Unsafe({ type: 'string' }))) }, closed)),
  service_tier: Type.Optional(Type.Unsafe({ enum: ['auto', 'standard_only'] })),
  container: Type.Optional(Type.Unknown()),
  diagnostics: Type.Optional(Type.Unknown()),
  inference_geo: Type.Optional(Type.Unknown()),
  speed: Type.Optional(Type.Unknown())
}, closed)

/** The top level of POST /v1/messages/count_tokens. */
export const CountTokensBody = Type.Object(properties, closed)

/** A JSON object, and neither an array nor null. */
export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Requires an object with no keys but the named ones. */
export function requireRecord (
  value: unknown, path: string, keys?: string[]
): asserts value is Record<string, unknown> {
  if (!isRecord(value)) throw invalid(`${path}: Input should be a valid dictionary`)
  const extra = keys && Object.keys(value).find((key) => !keys.includes(key))
  if (extra !== undefined) throw invalid(`${path}.${extra}: Extra inputs are not permitted`)
}

/** Requires a string, which matches the pattern if given. */
export function requireString (value: unknown, path: string, pattern?: RegExp): asserts value is string {
  if (value === undefined) throw invalid(`${path}: Field required`)
  if (typeof value !== 'string') throw invalid(`${path}: Input should be a valid string`)
  if (pattern && !pattern.test(value)) throw invalid(`${path}: String should match pattern '${pattern.source}'`)
}
