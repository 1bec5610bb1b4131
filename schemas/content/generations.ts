import { Type, type Static } from '@sinclair/typebox'
import { Defaulted, Id, Nullable, Words } from '../common.js'
import { ModelBudget, ModelName } from '../model-budget.js'
import { BriefChannel, Locale, Locales } from 'steward-prose-engine/schemas'
import { SentBrief } from './briefs.js'
import { Content } from './contents.js'
import { ContentGeneration } from './generation-records.js'
import { generationModes, writtenBy } from './generation-words.js'

const closed = { additionalProperties: false }

export const GenerateContent = Type.Object({
  mode: Defaulted(Words(generationModes, {
    default: 'create',
    description: 'create: records from a brief; rewrite: a record\'s text anew, as a new draft version; sections: ' +
      'only those named in `targets`; adapt: records for other channels from an approved version; translate: ' +
      'records in other locales; repair: what the report finds, as a new draft version; check: the report anew, ' +
      'nothing written'
  })),
  brief_id: Type.Optional(Type.Unsafe<string>({ ...Id, description: 'create: what it is made of; or give `brief`' })),
  brief: Type.Optional(Type.Unsafe<Static<typeof SentBrief>>({
    ...SentBrief, description: 'create, instead of brief_id: it is stored as a brief of `project_id`, in use'
  })),
  project_id: Type.Optional(Type.Unsafe<string>({ ...Id, description: 'create: the project; needed with `brief`' })),
  content_id: Type.Optional(Type.Unsafe<string>({ ...Id, description: 'All but create: the record' })),
  base_version: Type.Optional(Type.Integer({
    minimum: 1,
    description: 'The version to start from. adapt, translate: any, by default the approved one, else the newest; ' +
      'the others: refused where it is not the newest'
  })),
  targets: Type.Optional(Type.Array(Type.String({
    pattern: '^(title|summary|intro|subject|preheader|section:[\\p{Ll}\\p{N}-]{1,100}|post:[0-9]{1,2})$',
    examples: ['section:pricing']
  }), {
    minItems: 1,
    maxItems: 30,
    uniqueItems: true,
    description: 'sections: title, summary, subject, preheader, intro (the text before the first heading), ' +
      'section:<slug of its heading>, post:<number from 1>'
  })),
  channels: Type.Optional(Type.Array(BriefChannel, {
    minItems: 1, maxItems: 10, description: 'create: default: those of the brief; adapt: those to write for'
  })),
  locale: Type.Optional(Type.Unsafe<string>({
    ...Locale, description: 'create: the language in which the brief is written; default: its first, else the brand\'s'
  })),
  locales: Type.Optional(Type.Unsafe<string[]>({
    ...Locales, minItems: 1, maxItems: 10, description: 'create, translate: the languages to write in'
  })),
  variants: Defaulted(Type.Integer({
    minimum: 1, maximum: 5, default: 1, description: 'create, with a model: how many texts to choose from'
  })),
  engine: Defaulted(Words(['auto', 'anthropic', 'template'], {
    default: 'auto',
    description: 'template: put together by rules, without a language model; anthropic: written by the model; auto: ' +
      'the model where one is configured that is not the sandbox. A failed model run never becomes a template result'
  })),
  instructions: Type.Optional(Type.String({ maxLength: 4000, description: 'For the model; no facts' })),
  preserve: Defaulted(Words(['human', 'none'], {
    default: 'human',
    description: 'human: what people wrote stays, and the model\'s text is a suggestion beside it; none: the new ' +
      'draft version replaces it'
  })),
  model: Type.Optional(ModelName),
  budget: Type.Optional(ModelBudget),
  dry_run: Defaulted(Type.Boolean({
    default: false, description: 'Write nothing; show what would be written, or what a model run is expected to cost'
  }))
}, { $id: 'GenerateContent', ...closed })
export type GenerateContent = Static<typeof GenerateContent>

const { id, revision, ...shown } = Content.properties

export const GeneratedContents = Type.Object({
  mode: Words(generationModes),
  engine: Words(writtenBy),
  engine_version: Type.Integer(),
  is_prose_generated: Type.Boolean({ description: 'false: no language model wrote any of it' }),
  banner: Type.String(),
  dry_run: Type.Boolean(),
  fixed: Type.Integer({ description: 'repair by rules: how many findings were put right' }),
  generation: Nullable(ContentGeneration),
  contents: Type.Array(Type.Object({
    id: Type.Union([Id, Type.Null()], { description: 'null in a dry run of create' }),
    revision: Type.Union([revision, Type.Null()]),
    title: shown.title,
    slug: shown.slug,
    channel: shown.channel,
    network: shown.network,
    locale: shown.locale,
    status: shown.status,
    version: shown.version,
    summary: shown.summary,
    body_markdown: shown.body_markdown,
    fields: shown.fields,
    citations: shown.citations,
    checks: shown.checks
  }), { description: 'The records as they are now; a model run goes on writing them until the generation has ended' })
}, {
  $id: 'GeneratedContents',
  description: 'generation null: rules did it at once (check, repair by rules), or it was a dry run by rules'
})
export type GeneratedContents = Static<typeof GeneratedContents>
