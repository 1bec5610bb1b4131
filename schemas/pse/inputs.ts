import { importLayouts, inputKinds, type InputKind } from 'steward-spec-engine/schemas'
import { Type, type Static } from '@sinclair/typebox'
import { Id, Nullable, PageQuery, Timestamp, Words, page, VersionNumber, maxInteger } from '../common.js'

const closed = { additionalProperties: false }

/** Characters of one text that a person writes, of one input's extracted text, and of all inputs of a session. */
export const maxText = 200_000
export const maxExtracted = 1_000_000
export const maxSessionText = 2_000_000
export const maxInputs = 100
export const maxInputsAtOnce = 20
export const maxFileBytes = 10 * 1_048_576
/** Bytes of a request: large enough that a file of 11 MiB in base64 gets file_too_large. */
export const maxInputBody = 16 * 1_048_576

const Label = Type.Optional(Type.String({ maxLength: 200, description: 'A name to find it by' }))
const Text = (maxLength: number, description?: string) =>
  Type.String({ minLength: 1, maxLength, pattern: '\\S', ...(description && { description }) })

const input = <const T extends InputKind, P extends Parameters<typeof Type.Object>[0]>(kind: T, fields: P) =>
  Type.Object({ kind: Type.Literal(kind), label: Label, ...fields }, {
    $id: `New${kind.replace(/(^|_)[a-z]/g, (letters) => letters.slice(-1).toUpperCase())}Input`, ...closed
  })

const Reference = Type.String({ minLength: 1, maxLength: 80, description: 'An id such as FR-003, or sections.<key>' })
const Repo = Type.String({
  pattern: '^[0-9]{1,19}$',
  examples: ['7001'],
  description: 'The code host\'s numeric id of the repository'
})

/** Edits that decide a sentence of the inputs. */
export const sentenceOps = ['take', 'dismiss', 'join', 'reopen'] as const
export const editOps = ['replace', 'add', 'retire', 'lock', 'unlock', ...sentenceOps] as const
export const EditOp = Type.Object({
  op: Words(editOps),
  target: Type.Unsafe<string>({
    ...Reference,
    description: 'An id such as FR-003 or US-1, or sections.<key>; for add: requirements, stories, or sections.<key>; ' +
      'for take, dismiss, join and reopen: a sentence, as <input_id>@<char_start> of not_taken'
  }),
  value: Type.Optional(Type.Unknown({
    description: 'replace: the fields that change, or a section\'s new content: the text, for a template\'s ' +
      'section; add: the new item; retire: why; take: fields of the requirement that shall differ from the sentence; ' +
      'dismiss: why; join: the id of the requirement that the sentence is a part of. An entry of a section without an id gets one'
  }))
}, { $id: 'EditOp', ...closed })
export type EditOp = Static<typeof EditOp>

export const GivenFile = Type.Object({
  path: Type.String({ minLength: 1, maxLength: 500, description: 'Such as specs/001-lockers/spec.md' }),
  text: Type.String({ maxLength: maxText })
}, { $id: 'GivenFile', ...closed })

export const NewInput = Type.Union([
  input('text', { text: Text(maxText) }),
  input('url', {
    url: Type.String({
      pattern: '^https?://[^\\s]+$',
      examples: ['https://example.com/needs.md'],
      maxLength: 2000,
      description: 'A public address'
    })
  }),
  input('file', {
    filename: Type.String({ minLength: 1, maxLength: 255 }),
    media_type: Type.Optional(Type.String({ maxLength: 100 })),
    data: Type.String({
      description: 'base64, up to 10 MiB: Markdown, text, CSV, JSON, YAML, HTML, PDF, Word (.docx)'
    })
  }),
  input('repo_file', {
    repo_id: Repo,
    path: Type.String({ minLength: 1, maxLength: 500 }),
    ref: Type.Optional(Type.String({ minLength: 1, maxLength: 250 }))
  }),
  input('repo_issue', { repo_id: Repo, number: Type.Integer({ minimum: 1, maximum: maxInteger }) }),
  input('spec', {
    session_id: Type.Optional(Id),
    version: Type.Optional(Type.Integer({
      minimum: 1, maximum: maxInteger, description: 'Default: the current one'
    })),
    layout: Type.Optional(Words(importLayouts, { description: 'Of the files' })),
    files: Type.Optional(Type.Array(GivenFile, {
      minItems: 1, maxItems: 50, description: 'The files of a spec in another tool\'s layout, instead of a session'
    }))
  }),
  input('answer', {
    question_id: Type.String({
      pattern: '^Q-[0-9]{1,6}$', examples: ['Q-3']
    }),
    text: Text(4000, 'One of the options, or your own words')
  }),
  input('edit', {
    base_version: VersionNumber, ops: Type.Array(EditOp, { minItems: 1, maxItems: 100 })
  }),
  input('decision', {
    text: Text(4000, 'Naming a question, such as Q-2, settles it'),
    supersedes: Type.Optional(Type.Unsafe<string>({
      ...Id, description: 'The input_id of the decision that it supersedes'
    }))
  }),
  input('feedback', {
    target: Type.Optional(Reference),
    text: Text(4000, 'What to do otherwise: a model reads it at the next generation, the template engine warns')
  }),
  input('waiver', {
    rule_id: Type.String({ minLength: 1, maxLength: 160 }),
    target: Type.Optional(Reference),
    reason: Type.String({ minLength: 10, maxLength: 1000 }),
    expires_at: Type.Optional(Type.String({ format: 'date-time', description: 'Default: never' }))
  })
], { $id: 'NewInput', discriminator: { propertyName: 'kind' } })
export type NewInput = Static<typeof NewInput>
export type InputOf<K extends InputKind> = Extract<NewInput, { kind: K }>

export const AddInputs = Type.Object({
  inputs: Type.Array(NewInput, { minItems: 1, maxItems: maxInputsAtOnce })
}, { $id: 'AddInputs', ...closed, description: 'All of them are added, or none' })
export type AddInputs = Static<typeof AddInputs>

/** The JSON body: a list of inputs, or a single one. */
export const InputsBody = Type.Union([AddInputs, NewInput], { $id: 'InputsBody' })

/** The form; its parser makes AddInputs of it. */
export const InputsForm = Type.Object({
  file: Type.Array(Type.String({ format: 'binary' }), {
    minItems: 1, maxItems: maxInputsAtOnce, description: 'Each with its file name; the field is repeated'
  }),
  label: Type.Optional(Type.Array(Type.String({ maxLength: 200 }), {
    maxItems: maxInputsAtOnce, description: 'Of the files, in the same order'
  }))
}, { $id: 'InputsForm', ...closed })

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
  current_version: Nullable(Type.Integer({ description: 'Of the session; an edit makes a new one' }))
}, { $id: 'AddedInputs' })

export const SpecInputParams = Type.Object({ session_id: Id, input_id: Id })
export const ListSpecInputs = Type.Object(PageQuery)
export const ReadSpecInput = Type.Object({
  offset: Type.Integer({
    minimum: 0, maximum: maxInteger, default: 0, description: 'Where the text begins, in UTF-16 units'
  }),
  length: Type.Integer({ minimum: 1, maximum: 200_000, default: 20_000 })
})
export const SpecInputText = Type.Object({
  ...known, text: Type.String({ description: 'The part that was asked for' }), next_offset: Nullable(Type.Integer())
}, { $id: 'SpecInputText' })
