import { Type, type Static } from '@sinclair/typebox'

const closed = { additionalProperties: false }
const Count = Type.Integer({ minimum: 0 })

const FaultKind = Type.Union([
  Type.Literal('http_error'), Type.Literal('reset'), Type.Literal('no_response'),
  Type.Literal('stream_error'), Type.Literal('cut'), Type.Literal('eof'), Type.Literal('hang'),
  Type.Literal('ping_only'), Type.Literal('slow'), Type.Literal('malformed_json'), Type.Literal('split_utf8'),
  Type.Literal('truncated_tool_use'), Type.Literal('refusal'), Type.Literal('pause_turn'),
  Type.Literal('duplicate_tool_ids'), Type.Literal('invalid_tool_json')
])

const faultFields = {
  kind: FaultKind,
  status: Type.Optional(Type.Integer({ minimum: 400, maximum: 599 })),
  error_type: Type.Optional(Type.String()),
  message: Type.Optional(Type.String()),
  retry_after_ms: Type.Optional(Count),
  after_events: Type.Optional(Count),
  delay_ms: Type.Optional(Count)
}

/** The fault of one response. */
export const Fault = Type.Object(faultFields, closed)
export type Fault = Static<typeof Fault>

/** The requests for which a scripted turn or a fault is meant. */
export const Match = Type.Object({
  text: Type.Optional(Type.String({ minLength: 1 })),
  system: Type.Optional(Type.String({ minLength: 1 })),
  scope: Type.Optional(Type.Union([Type.Literal('last'), Type.Literal('conversation')])),
  /** Whether tools' results have followed the last words: a request repeated after a death is as the first. */
  answered: Type.Optional(Type.Boolean()),
  title: Type.Optional(Type.Boolean()),
  notes: Type.Optional(Type.Boolean()),
  model: Type.Optional(Type.String({ minLength: 1 }))
}, closed)
export type Match = Static<typeof Match>

/** A block of a response, before it gets ids and signatures. */
export const TurnBlock = Type.Union([
  Type.Object({ type: Type.Literal('text'), text: Type.String() }, closed),
  Type.Object({ type: Type.Literal('thinking'), thinking: Type.String() }, closed),
  Type.Object({ type: Type.Literal('redacted_thinking') }, closed),
  Type.Object({
    type: Type.Literal('tool_use'),
    name: Type.String(),
    input: Type.Optional(Type.Unknown()),
    id: Type.Optional(Type.String()),
    raw_json: Type.Optional(Type.String())
  }, closed),
  Type.Object({ type: Type.Literal('server_tool_use'), name: Type.String(), input: Type.Unknown() }, closed)
])
export type TurnBlock = Static<typeof TurnBlock>

const StopReason = Type.Union([
  Type.Literal('end_turn'), Type.Literal('max_tokens'), Type.Literal('stop_sequence'), Type.Literal('tool_use'),
  Type.Literal('pause_turn'), Type.Literal('refusal'), Type.Literal('model_context_window_exceeded')
])
export type StopReason = Static<typeof StopReason>

/** One turn of the model: its content, its pace and its faults. */
export const Turn = Type.Object({
  content: Type.Array(TurnBlock),
  /** The answering model, if it is not the requested one. */
  model: Type.Optional(Type.String()),
  stop_reason: Type.Optional(StopReason),
  usage: Type.Optional(Type.Object({
    input_tokens: Type.Optional(Count),
    output_tokens: Type.Optional(Count),
    cache_creation_input_tokens: Type.Optional(Count),
    cache_read_input_tokens: Type.Optional(Count)
  }, closed)),
  chunk: Type.Optional(Type.Integer({ minimum: 1 })),
  delay_ms: Type.Optional(Count),
  fault: Type.Optional(Fault)
}, closed)
export type Turn = Static<typeof Turn>

/** POST script of the control path */
export const ScriptBody = Type.Object({ turns: Type.Array(Turn, { minItems: 1 }), match: Type.Optional(Match) }, closed)
export type ScriptBody = Static<typeof ScriptBody>

/** POST faults of the control path */
export const FaultBody = Type.Object({
  ...faultFields, times: Type.Optional(Type.Integer({ minimum: 1 })), match: Type.Optional(Match)
}, closed)
export type FaultBody = Static<typeof FaultBody>

/** POST settings of the control path */
export const SettingsBody = Type.Object({
  delay_ms: Type.Optional(Count),
  cache_min_tokens: Type.Optional(Count),
  /** Requests of more tokens are refused. */
  window_tokens: Type.Optional(Type.Integer({ minimum: 1 })),
  /** How many tokens the same text has, compared with the usual count. */
  token_weight: Type.Optional(Type.Number({ exclusiveMinimum: 0 }))
}, closed)
export type SettingsBody = Static<typeof SettingsBody>
