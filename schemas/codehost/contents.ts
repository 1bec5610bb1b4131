import { Type, type Static } from '@sinclair/typebox'
import { Nullable, Words } from '../common.js'
import { RefOrDefault } from './commits.js'
import { RepoId, staleness } from './repositories.js'

export const ReadContents = Type.Object({
  path: Type.String({
    maxLength: 500,
    default: '',
    pattern: '^(?!/)(?!.*(^|/)\\.{1,2}(/|$))[^\\x00-\\x1f\\x7f]*$',
    examples: ['docs/spec.md'],
    description: 'From the root of the repository; empty = the root'
  }),
  ref: Type.Optional(RefOrDefault)
})
export type ReadContents = Static<typeof ReadContents>

export const ContentEntry = Type.Object({
  type: Words(['file', 'folder', 'symlink', 'submodule'] as const),
  name: Type.String(),
  path: Type.String(),
  size: Nullable(Type.Integer({ description: 'Bytes' })),
  html_url: Nullable(Type.String())
}, { $id: 'ContentEntry' })
export type ContentEntry = Static<typeof ContentEntry>

export const Contents = Type.Object({
  repo_id: RepoId,
  path: Type.String(),
  type: Words(['file', 'folder', 'symlink', 'submodule'] as const),
  sha: Nullable(Type.String({ description: 'Of the file\'s content' })),
  size: Nullable(Type.Integer({ description: 'Bytes' })),
  text: Nullable(Type.String({ description: 'null: no file, no UTF-8 text, or larger than 1 MB' })),
  entries: Nullable(Type.Array(ContentEntry, { description: 'null: no folder' })),
  html_url: Nullable(Type.String()),
  ...staleness
}, { $id: 'Contents' })
export type Contents = Static<typeof Contents>
