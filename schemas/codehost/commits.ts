import { Type, type Static } from '@sinclair/typebox'
import { Nullable, PageQuery, Timestamp, Words } from '../common.js'
import { hiddenOrganizations, hostPage, RepoId, staleness } from './repositories.js'

const Person = Type.Object({
  name: Nullable(Type.String()),
  email: Nullable(Type.String({ description: 'null without the scope codehost:email' })),
  login: Nullable(Type.String()),
  user_id: Nullable(Type.String()),
  date: Nullable(Timestamp)
}, { $id: 'CommitPerson' })

export const Commit = Type.Object({
  sha: Type.String(),
  repo_id: RepoId,
  message: Type.String({ description: 'At most 64 KiB' }),
  message_truncated: Type.Boolean(),
  headline: Type.String({ description: 'The first line of the message' }),
  author: Person,
  committer: Person,
  parents: Type.Array(Type.String()),
  verified: Type.Object({
    state: Words(['verified', 'unverified', 'unknown'] as const), reason: Nullable(Type.String())
  }),
  html_url: Nullable(Type.String())
}, { $id: 'Commit' })
export type Commit = Static<typeof Commit>

export const CommitPage = hostPage(Commit, 'CommitPage')

const Time = (description: string) => Type.Optional(Type.String({ format: 'date-time', description }))
const Login = Type.Optional(Type.String({
  pattern: '^[A-Za-z0-9][A-Za-z0-9_-]{0,99}(\\[bot\\])?$',
  examples: ['octocat'],
  description: 'A login at the code host'
}))

/** As git allows names, without what could leave the path of an address. */
export const GitRef = Type.String({
  pattern: '^(?![/.-])(?!.*(\\.\\.|//|@\\{|\\.lock(/|$)))[^\\x00-\\x20\\x7f~^:?*\\[\\\\]{1,250}(?<![/.])$',
  examples: ['main'],
  description: 'A branch, a tag or a commit'
})

export const RefOrDefault = Type.Unsafe<string>({
  ...GitRef, description: 'A branch, tag or commit; default: the default branch'
})

export const ListCommits = Type.Object({
  ...PageQuery,
  ref: Type.Optional(RefOrDefault),
  path: Type.Optional(Type.String({
    minLength: 1, maxLength: 500, description: 'Only commits that touch this file or folder'
  })),
  author: Login,
  since: Time('Not before'),
  until: Time('Not after')
})
export type ListCommits = Static<typeof ListCommits>

export const SearchCommits = Type.Object({
  ...PageQuery,
  q: Type.String({
    minLength: 1,
    maxLength: 256,
    pattern: '\\S',
    description: 'Words of the message; repositories, authors and times have parameters'
  }),
  repo_id: Type.Optional(RepoId),
  author: Login,
  since: Time('Committed not before'),
  until: Time('Committed not after')
})
export type SearchCommits = Static<typeof SearchCommits>

export const CommitSearchPage = Type.Object({
  items: Type.Array(Commit),
  next_cursor: Nullable(Type.String()),
  ...staleness,
  total_count: Nullable(Type.Integer({
    description: 'How many the code host found; it shows the first 1000. null: not known, since several searches make ' +
      'the list, or some that it found are not yours'
  })),
  incomplete_results: Type.Boolean({
    description: 'true: some may be missing, since the code host ran out of time, leaves organizations out, or you see ' +
      'more repositories than are looked through for their owners'
  }),
  hidden_organizations: hiddenOrganizations,
  searched_branch: Words(['default'] as const, { description: 'Only default branches are searched' })
}, { $id: 'CommitSearchPage' })
export type CommitSearchPage = Static<typeof CommitSearchPage>

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
