import { Type, type Static } from '@sinclair/typebox'
import { Defaulted, Id, page, PageQuery, Timestamp, Words } from '../common.js'
import { GitRef, RefOrDefault } from '../codehost/commits.js'
import { RepoId } from '../codehost/repositories.js'
import { Revision } from '../revisions.js'
import { BriefBody, Channel } from 'steward-prose-engine/schemas'

const closed = { additionalProperties: false }
const Text = (maxLength: number) => Type.String({ minLength: 1, maxLength, pattern: '\\S' })

const given = BriefBody.properties

const fields = {
  ...given,
  goal: Defaulted(given.goal),
  facts: Defaulted(given.facts),
  locales: Defaulted(given.locales),
  keywords: Defaulted(given.keywords),
  must_include: Defaulted(given.must_include),
  must_avoid: Defaulted(given.must_avoid)
}

export const SentBrief = Type.Object(fields, { $id: 'BriefBody', ...closed })

export const briefStatuses = ['draft', 'ready', 'in_use', 'done', 'archived'] as const
export type BriefStatus = typeof briefStatuses[number]

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
