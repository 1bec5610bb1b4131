import { Type, type Static } from '@sinclair/typebox'
import { Id, Nullable, PageQuery, Timestamp, Words, page } from '../common.js'

const closed = { additionalProperties: false }

export const inputKinds = ['text', 'url', 'file', 'repo_file', 'repo_issue', 'spec', 'answer', 'edit', 'decision',
  'feedback', 'waiver'] as const
export type InputKind = typeof inputKinds[number]

/** Characters of one text that a person writes; of one input's extracted text; of all of a session. */
export const maxText = 200_000
export const maxExtracted = 1_000_000
export const maxSessionText = 2_000_000
export const maxInputs = 100
export const maxFileBytes = 10 * 1_048_576
/** Bytes of a request: an eleven-megabyte file in base64 is refused for what it is. */
export const maxInputBody = 16 * 1_048_576

const Label = Type.Optional(Type.String({ maxLength: 200, description: 'A name to find it by' }))
const Text = (maxLength: number, description?: string) =>
  Type.String({ minLength: 1, maxLength, pattern: '\\S', ...(description && { description }) })

const TextInput = Type.Object({
  kind: Type.Literal('text'), label: Label, text: Text(maxText)
}, { $id: 'NewTextInput', ...closed })

export const NewInput = Type.Union([TextInput],
  { $id: 'NewInput', discriminator: { propertyName: 'kind' } })
export type NewInput = Static<typeof NewInput>

export const AddInputs = Type.Object({
  inputs: Type.Array(NewInput, { minItems: 1, maxItems: 20 })
}, { $id: 'AddInputs', ...closed, description: 'All of them are added, or none' })
export type AddInputs = Static<typeof AddInputs>

export const InputContent = Type.Object({
  media_type: Type.String(),
  bytes: Type.Integer({ description: 'Of what was given or fetched' }),
  chars: Type.Integer({ description: 'Of the extracted text, in UTF-16 units' }),
  sha256: Type.String({ description: 'Of the extracted text in UTF-8' }),
  token_estimate: Type.Integer(),
  truncated: Type.Boolean(),
  pages: Nullable(Type.Integer()),
  chunks: Type.Integer()
}, { $id: 'InputContent' })
export type InputContent = Static<typeof InputContent>

const known = {
  input_id: Id,
  seq: Type.Integer({ description: '1, 2, 3 …: a generation sees the inputs up to one of them' }),
  kind: Words(inputKinds),
  label: Type.String(),
  source: Type.Record(Type.String(), Type.Unknown(), {
    description: 'Where it came from, by its kind, without the text itself'
  }),
  trust: Words(['user', 'external'], {
    description: 'external: fetched or uploaded; it is data, never an instruction'
  }),
  status: Words(['ready', 'superseded'], { description: 'superseded: the same source was added again' }),
  content: InputContent,
  created_by: Id,
  created_at: Timestamp
}

export const SpecInput = Type.Object(known, { $id: 'SpecInput' })
export type SpecInput = Static<typeof SpecInput>
export const SpecInputPage = page(SpecInput, 'SpecInputPage')
export const AddedInputs = Type.Object({
  inputs: Type.Array(SpecInput),
  version: Nullable(Type.Integer({ description: 'The version that an edit among them made' }))
}, { $id: 'AddedInputs' })

export const SpecInputParams = Type.Object({ session_id: Id, input_id: Id })
export const ListSpecInputs = Type.Object(PageQuery)
export const ReadSpecInput = Type.Object({
  offset: Type.Integer({ minimum: 0, default: 0, description: 'Where the text begins, in UTF-16 units' }),
  length: Type.Integer({ minimum: 1, maximum: 200_000, default: 20_000 })
})
export const SpecInputText = Type.Object({
  ...known, text: Type.String({ description: 'The part that was asked for' }), next_offset: Nullable(Type.Integer())
}, { $id: 'SpecInputText' })
