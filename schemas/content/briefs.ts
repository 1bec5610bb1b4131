import { Type, type Static } from '@sinclair/typebox'
import { Defaulted, Id, Nullable, page, PageQuery, Timestamp, Words } from '../common.js'
import { GitRef, RefOrDefault } from '../codehost/commits.js'
import { RepoId } from '../codehost/repositories.js'
import { Revision } from '../revisions.js'
import { Channel, Locales, Network } from './channels.js'

const closed = { additionalProperties: false }
const Text = (maxLength: number) => Type.String({ minLength: 1, maxLength, pattern: '\\S' })
const Texts = (maxLength: number, maxItems: number) => Type.Array(Text(maxLength), { maxItems, default: [] })
const FactId = Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9_-]{0,39}$' })
const Url = Type.String({ maxLength: 2000, pattern: '^https?://[^\\s/]+' })

export const BriefFact = Type.Object({
  id: FactId,
  text: Text(500),
  source: Type.Object({
    kind: Words(['url', 'spec', 'file', 'text', 'person']),
    ref: Text(2000),
    quote: Type.Optional(Type.String({ maxLength: 2000, description: 'Word for word' })),
    dated: Type.Optional(Type.String({ format: 'date', description: 'When the source said so' }))
  }, closed)
}, { $id: 'BriefFact', ...closed })
export type BriefFact = Static<typeof BriefFact>

export const BriefPoint = Type.Object({
  text: Text(500),
  fact_ids: Type.Array(FactId, { maxItems: 200, default: [] })
}, { $id: 'BriefPoint', ...closed })

export const BriefChannel = Type.Object({
  channel: Channel,
  network: Type.Optional(Network),
  length: Words(['short', 'medium', 'long'], { default: 'medium' }),
  words: Type.Optional(Type.Integer({
    minimum: 20, maximum: 10_000, description: 'About so many, instead of `length`; for a language model'
  }))
}, { $id: 'BriefChannel', ...closed })
export type BriefChannel = Static<typeof BriefChannel>

const fields = {
  title: Text(200),
  goal: Defaulted(Type.String({ maxLength: 1000, default: '' })),
  audience_key: Type.Optional(Type.String({ maxLength: 40, description: 'One of the brand\'s audiences' })),
  audience: Type.Optional(Type.String({ maxLength: 500 })),
  key_message: Text(500),
  points: Type.Array(BriefPoint, { minItems: 1, maxItems: 20 }),
  facts: Defaulted(Type.Array(BriefFact, { maxItems: 200, default: [] })),
  cta: Type.Optional(Nullable(Type.Object({ text: Text(200), url: Type.Optional(Url) }, closed))),
  channels: Type.Array(BriefChannel, { minItems: 1, maxItems: 10 }),
  locales: Defaulted(Type.Unsafe<string[]>({
    ...Locales, maxItems: 10, default: [], description: 'Empty: the brand\'s default'
  })),
  keywords: Defaulted(Texts(80, 20)),
  must_include: Defaulted(Texts(300, 20)),
  must_avoid: Defaulted(Texts(300, 20)),
  tone_override: Type.Optional(Type.String({ maxLength: 500 })),
  due_at: Type.Optional(Nullable(Type.String({ format: 'date-time' })))
}

export const briefStatuses = ['draft', 'ready', 'in_use', 'done', 'archived'] as const
export type BriefStatus = typeof briefStatuses[number]

export const BriefBody = Type.Object(fields, { $id: 'BriefBody', ...closed })
export type BriefBody = Static<typeof BriefBody>

export const Brief = Type.Object({
  id: Id,
  project_id: Id,
  status: Words(briefStatuses),
  ...fields,
  revision: Revision,
  created_by: Id,
  created_at: Timestamp,
  updated_at: Timestamp
}, { $id: 'Brief' })
export type Brief = Static<typeof Brief>

export const BriefPage = page(Brief, 'BriefPage')

export const CreateBrief = Type.Object({ project_id: Id, ...fields }, { $id: 'CreateBrief', ...closed })
export type CreateBrief = Static<typeof CreateBrief>

export const CreateReleaseBrief = Type.Object({
  project_id: Id,
  repo_id: RepoId,
  base: Type.Unsafe<string>({ ...GitRef, description: 'The last release: a tag, a branch or a commit' }),
  head: Type.Optional(RefOrDefault),
  title: Type.Optional(Text(200))
}, { $id: 'CreateReleaseBrief', ...closed })
export type CreateReleaseBrief = Static<typeof CreateReleaseBrief>

const AsRead = Type.Optional(Type.Unknown({ description: 'As it was read; changed = 422 read_only_field' }))

export const ReplaceBrief = Type.Object({
  ...fields,
  id: AsRead,
  project_id: AsRead,
  status: AsRead,
  revision: AsRead,
  created_by: AsRead,
  created_at: AsRead,
  updated_at: AsRead
}, { $id: 'ReplaceBrief', ...closed })
export type ReplaceBrief = Static<typeof ReplaceBrief>

export const BriefTransition = Type.Object({
  to: Words(['draft', 'ready', 'done', 'archived'])
}, { $id: 'BriefTransition', ...closed })
export type BriefTransition = Static<typeof BriefTransition>

export const BriefParams = Type.Object({ brief_id: Id })

export const ListBriefs = Type.Object({
  ...PageQuery,
  project_id: Type.Optional(Id),
  status: Type.Optional(Words(briefStatuses, { description: 'Default: all but archived ones' })),
  channel: Type.Optional(Channel),
  q: Type.Optional(Type.String({ maxLength: 200, description: 'Words of the title, in any case' }))
})
export type ListBriefs = Static<typeof ListBriefs>
