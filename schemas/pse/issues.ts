import { Type, type Static } from '@sinclair/typebox'
import { Id, maxInteger, Nullable, Words } from '../common.js'
import { RepoId } from '../codehost/repositories.js'

/** Issues that one call creates: the code host limits how much a person writes in a minute. */
export const maxIssues = 30

const version = Type.Optional(Type.Integer({
  minimum: 1, maximum: maxInteger, description: 'Default: the current one'
}))

export const TracedIssue = Type.Object({
  task_id: Type.String(),
  repo_id: RepoId,
  number: Nullable(Type.Integer({ description: 'null: it is being created, or its creation was cut off' })),
  title: Nullable(Type.String()),
  state: Words(['open', 'closed', 'missing', 'unknown'], {
    description: 'As the code host says now; missing: you see no such issue there; unknown: it did not say'
  }),
  html_url: Nullable(Type.String())
}, { $id: 'TracedIssue' })
export type TracedIssue = Static<typeof TracedIssue>

export const ListSpecIssues = Type.Object({
  repo_id: Type.Optional(Type.Unsafe<string>({ ...RepoId, description: 'Only issues of this repository' })), version
})
export type ListSpecIssues = Static<typeof ListSpecIssues>

export const TaskIssues = Type.Object({
  task_id: Type.String(),
  title: Type.String(),
  requirement_ids: Type.Array(Type.String()),
  issues: Type.Array(TracedIssue)
}, { $id: 'TaskIssues' })
export type TaskIssues = Static<typeof TaskIssues>

export const SpecIssues = Type.Object({
  session_id: Id, version: Type.Integer(), tasks: Type.Array(TaskIssues)
}, { $id: 'SpecIssues' })
export type SpecIssues = Static<typeof SpecIssues>

export const OpenSpecIssues = Type.Object({
  repo_id: RepoId,
  version,
  task_ids: Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 20 }), {
    minItems: 1,
    maxItems: maxIssues,
    uniqueItems: true,
    description: `Ids such as T001; default: the first ${maxIssues} that have no issue in the repository`
  }))
}, { $id: 'OpenSpecIssues', additionalProperties: false })
export type OpenSpecIssues = Static<typeof OpenSpecIssues>

export const OpenedSpecIssue = Type.Object({
  task_id: Type.String(),
  outcome: Words(['created', 'unchanged', 'failed', 'not_tried'], {
    description: 'not_tried: one before it failed; ask again'
  }),
  number: Nullable(Type.Integer()),
  html_url: Nullable(Type.String())
}, { $id: 'OpenedSpecIssue' })
export type OpenedSpecIssue = Static<typeof OpenedSpecIssue>

export const OpenedSpecIssues = Type.Object({
  version: Type.Integer(),
  repo_id: RepoId,
  issues: Type.Array(OpenedSpecIssue),
  left: Type.Integer({ description: 'Tasks of the version that have no issue in the repository' }),
  error: Nullable(Type.Object({ code: Type.String(), message: Type.String() }))
}, { $id: 'OpenedSpecIssues' })
export type OpenedSpecIssues = Static<typeof OpenedSpecIssues>
