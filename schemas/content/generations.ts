import { Type, type Static } from '@sinclair/typebox'
import { Id, Words } from '../common.js'
import { BriefChannel } from './briefs.js'
import { Locale } from './channels.js'
import { Content } from './contents.js'

const closed = { additionalProperties: false }

export const GenerateContent = Type.Object({
  mode: Words(['create', 'repair', 'check'], {
    default: 'create',
    description: 'create: records from a brief; repair: the fixes that are certain, as a new draft version; check: ' +
      'the report anew, nothing written'
  }),
  brief_id: Type.Optional(Type.Unsafe<string>({ ...Id, description: 'create: what it is made of' })),
  content_id: Type.Optional(Type.Unsafe<string>({ ...Id, description: 'repair, check: the record' })),
  channels: Type.Optional(Type.Array(BriefChannel, {
    minItems: 1, maxItems: 10, description: 'create: default: those of the brief'
  })),
  locale: Type.Optional(Type.Unsafe<string>({
    ...Locale, description: 'create: the language in which the brief is written; default: its first, else the brand\'s'
  })),
  engine: Words(['template'], {
    default: 'template', description: 'template: put together from the brief by rules, without a language model'
  }),
  dry_run: Type.Boolean({ default: false, description: 'Write nothing; show what would be written' })
}, { $id: 'GenerateContent', ...closed })
export type GenerateContent = Static<typeof GenerateContent>

const { id, revision, ...shown } = Content.properties

export const GeneratedContents = Type.Object({
  mode: Words(['create', 'repair', 'check'] as const),
  engine: Words(['template'] as const),
  engine_version: Type.Integer(),
  is_prose_generated: Type.Boolean({ description: 'false: no language model wrote any of it' }),
  banner: Type.String(),
  dry_run: Type.Boolean(),
  fixed: Type.Integer({ description: 'repair: how many findings were put right' }),
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
  }))
}, { $id: 'GeneratedContents' })
export type GeneratedContents = Static<typeof GeneratedContents>
