import { Type, type Static } from '@sinclair/typebox'
import { Defaulted, Id, maxInteger, Nullable, page, PageQuery, Timestamp, VersionNumber, Words } from '../common.js'
import { byKey, keysOf } from '../unknown.js'
import { Revision } from '../revisions.js'
import { BrandReport, Channel, ContentBody, FactCitation, Locale, Network } from 'steward-prose-engine/schemas'
import { ContentFailure, outputStatuses } from './generation-words.js'
import { Publication } from './publications.js'
import { ContentSuggestion } from './suggestions.js'

const closed = { additionalProperties: false }

const { title, summary, body_markdown: markdown, fields, seo, media, waivers } = ContentBody.properties

/** A body as a sender gives it. */
const body = {
  title,
  slug: Type.Optional(Type.String({
    pattern: '^[a-z0-9]+(-[a-z0-9]+)*$',
    examples: ['one-tap-pay'],
    maxLength: 96,
    description: 'Default: made of the title when it is created'
  })),
  summary: Defaulted(summary),
  body_markdown: Defaulted(markdown),
  fields: Defaulted(fields),
  seo: Defaulted(seo),
  media: Defaulted(media),
  waivers: Defaulted(waivers)
}

export const reviewStates = ['draft', 'in_review', 'approved'] as const
export type ReviewState = typeof reviewStates[number]
export const contentStatuses = ['draft', 'in_review', 'approved', 'scheduled', 'published', 'archived'] as const
export type ContentStatus = typeof contentStatuses[number]
export const origins = ['generated', 'edited', 'merged', 'restored', 'imported'] as const
export type Origin = typeof origins[number]
export const engines = ['human', 'template', 'anthropic'] as const
export type ContentEngine = typeof engines[number]

const Version = VersionNumber
const slot = {
  channel: Channel, network: Nullable(Network), locale: Locale
}
const state = {
  status: Words(contentStatuses, { description: 'Computed: archived, published, scheduled, else the review state' }),
  review_state: Words(reviewStates, { description: 'Of the newest version' }),
  head_version: Version,
  reviewer: Nullable(Type.Unsafe<string>({ ...Id, description: 'Who was asked to review it' })),
  approved_version: Nullable(Version),
  published_version: Nullable(Version),
  scheduled_version: Nullable(Version),
  has_unpublished_changes: Type.Boolean(),
  engine: Words(engines, { description: 'What made the first version' }),
  score: Type.Integer(),
  verdict: Words(['pass', 'pass_with_warnings', 'fail'] as const)
}
const record = {
  id: Id,
  project_id: Id,
  brief_id: Nullable(Id),
  group_id: Id,
  variant: Type.Integer(),
  translation_of: Nullable(Id),
  translated_version: Nullable(Type.Integer({
    minimum: 1, description: 'The version of that record that this text corresponds to; null = not known'
  }))
}
const moving = {
  source_changed: Type.Boolean({ description: 'It is a translation, and its source has another text since' })
}
const times = { revision: Revision, created_by: Id, created_at: Timestamp, updated_at: Timestamp }

export const ContentSummary = Type.Object({
  ...record, ...slot, ...state, ...moving, title: Type.String(), slug: Type.String(), ...times
}, { $id: 'ContentSummary' })
export type ContentSummary = Static<typeof ContentSummary>
export const ContentPage = page(ContentSummary, 'ContentPage')

export const ContentVersion = Type.Object({
  version: Version,
  origin: Words(origins),
  review_state: Words(reviewStates),
  review_comment: Nullable(Type.String()),
  reviewed_by: Nullable(Id),
  reviewed_at: Nullable(Timestamp),
  title: Type.String(),
  content_hash: Type.String(),
  brand_version: Type.Integer(),
  score: Type.Integer(),
  author: Id,
  created_at: Timestamp
}, { $id: 'ContentVersion' })
export type ContentVersion = Static<typeof ContentVersion>

export const Content = Type.Object({
  ...record,
  ...slot,
  ...state,
  ...moving,
  version: Type.Integer({ description: 'The version shown: the newest, or the one asked for' }),
  ...body,
  slug: Type.String(),
  citations: Type.Array(FactCitation),
  checks: BrandReport,
  generation: Nullable(Type.Object({
    id: Id,
    status: Words(outputStatuses, { description: 'pending: it is being written' }),
    error: Nullable(ContentFailure)
  }, { description: 'The newest generation that wrote, or writes, the record' })),
  suggestions: Type.Array(ContentSuggestion, { description: 'Beside what people wrote; the newest hundred' }),
  versions: Type.Optional(Type.Array(ContentVersion, { description: 'Where asked for: the newest thirty' })),
  publications: Type.Optional(Type.Array(Publication, { description: 'Where asked for: the last hundred' })),
  ...times
}, { $id: 'Content' })
export type Content = Static<typeof Content>

export const CreateContent = Type.Object({
  project_id: Id,
  brief_id: Type.Optional(Nullable(Id)),
  translation_of: Type.Optional(Nullable(Id)),
  channel: Channel,
  network: Type.Optional(Nullable(Network)),
  locale: Type.Optional(Type.Unsafe<string>({ ...Locale, description: 'Default: that of the brand' })),
  ...body
}, { $id: 'CreateContent', ...closed })
export type CreateContent = Static<typeof CreateContent>

const AsRead = Type.Optional(Type.Unknown({ description: 'As it was read; changed = 422 read_only_field' }))
const readOnly =
  [...keysOf({ ...record, ...slot, ...state, ...times }), 'version', 'checks', 'citations'] as const
export const readOnlyFields: readonly string[] = readOnly

/** The server changes them while a person edits. */
const Ignored = Type.Optional(Type.Unknown({ description: 'As it was read; ignored' }))

export const ReplaceContent = Type.Object({
  ...body,
  generation: Ignored,
  suggestions: Ignored,
  versions: Ignored,
  publications: Ignored,
  source_changed: Ignored,
  ...byKey(readOnly, () => AsRead)
}, { $id: 'ReplaceContent', ...closed })
export const ReplacedBody = Type.Object(body)
export type ReplaceContent = Static<typeof ReplacedBody>

export const ContentParams = Type.Object({ content_id: Id })
export const VersionParams = Type.Object({ content_id: Id, version: Version })
export const ContentQuery = Type.Object({
  version: Type.Optional(Type.Integer({ minimum: 1, maximum: maxInteger, description: 'Default: the newest' })),
  include: Type.Optional(Type.String({
    pattern: '^(?:versions|publications|checks)(?:,(?:versions|publications|checks)){0,2}$',
    examples: ['versions,checks'],
    description: 'versions, publications, or both with a comma; checks are always there'
  }))
})
export const DiffQuery = Type.Object({
  from: Version,
  to: Type.Optional(Type.Integer({ minimum: 1, maximum: maxInteger, description: 'Default: the newest' })),
  granularity: Words(['line', 'word'], { default: 'line' })
})

export const ListContents = Type.Object({
  ...PageQuery,
  project_id: Type.Optional(Id),
  brief_id: Type.Optional(Id),
  status: Type.Optional(Words(contentStatuses, { description: 'Default: all but archived ones' })),
  channel: Type.Optional(Channel),
  locale: Type.Optional(Locale),
  reviewer: Type.Optional(Type.Unsafe<string>({ ...Id, description: 'Only what this person was asked to review' })),
  source_changed: Type.Optional(Type.Boolean({
    description: 'Only translations whose source has, or has not, moved on'
  })),
  q: Type.Optional(Type.String({ maxLength: 200, description: 'Words of the title, in any case' }))
})
export type ListContents = Static<typeof ListContents>

export const TransitionContent = Type.Object({
  to: Words(['draft', 'in_review', 'approved', 'withdrawn', 'archived', 'restore'], {
    description: 'withdrawn takes back the approval of the version that is approved, whichever is the newest'
  }),
  comment: Type.Optional(Type.String({ minLength: 1, maxLength: 2000, pattern: '\\S' })),
  version: Type.Optional(Type.Integer({
    minimum: 1,
    maximum: maxInteger,
    description: 'The version that is meant: refused where it is not the newest any more'
  }))
}, { $id: 'TransitionContent', ...closed })
export type TransitionContent = Static<typeof TransitionContent>

export const UndeleteContent = Type.Object({
  dry_run: Defaulted(Type.Boolean({ default: false, description: 'Write nothing; show what would come back' }))
}, { $id: 'UndeleteContent', ...closed, default: {} })
export type UndeleteContent = Static<typeof UndeleteContent>

export const ContentVersionPage = page(ContentVersion, 'ContentVersionPage')
export const ListVersions = Type.Object(PageQuery)

export const ContentDiff = Type.Object({
  from: Version,
  to: Version,
  fields: Type.Array(Type.Object({
    field: Type.String(), before: Type.Unknown(), after: Type.Unknown()
  }), { description: 'What differs beside the body' }),
  body: Type.Array(Type.Object({
    op: Words(['equal', 'insert', 'delete'] as const), text: Type.String()
  }), { description: 'The body, from the one version to the other' })
}, { $id: 'ContentDiff' })
export type ContentDiff = Static<typeof ContentDiff>

export const CheckText = Type.Object({
  project_id: Id,
  content_id: Type.Optional(Type.Unsafe<string>({
    ...Id, description: 'The record whose next text this would be: it is not compared with that'
  })),
  brief_id: Type.Optional(Nullable(Id)),
  channel: Channel,
  network: Type.Optional(Nullable(Network)),
  locale: Type.Optional(Locale),
  dry_run: Type.Optional(Type.Literal(true, { description: 'Always so: nothing is stored' })),
  ...body
}, { $id: 'CheckText', ...closed })
export type CheckText = Static<typeof CheckText>

export const CheckedText = Type.Object({
  ...BrandReport.properties,
  slug: Type.String({ description: 'The one that was given, else a free one made of the title' }),
  locale: Locale
}, { $id: 'CheckedText' })
export type CheckedText = Static<typeof CheckedText>
