import { Type, type Static } from '@sinclair/typebox'
import { Id, maxInteger, Nullable, Timestamp, Words } from '../common.js'
import { PullChecks, PullRequest } from '../codehost/pulls.js'
import { RepoId } from '../codehost/repositories.js'
import { Citation, Requirement } from 'steward-spec-engine/schemas'
import { TracedIssue } from './issues.js'

export const TraceQuery = Type.Object({
  repo_id: Type.Optional(Type.Unsafe<string>({
    ...RepoId, description: 'The repository that implements the spec; default: those that its inputs come from'
  })),
  version: Type.Optional(Type.Integer({ minimum: 1, maximum: maxInteger, description: 'Default: the current one' }))
})
export type TraceQuery = Static<typeof TraceQuery>

export const TracedPull = Type.Object({
  repo_id: RepoId,
  number: Type.Integer(),
  title: Type.String(),
  state: PullRequest.properties.state,
  checks: Nullable(PullChecks),
  named_in: Words(['title', 'text', 'branch'], { description: 'Where the pull request names the requirement' }),
  merged_at: Nullable(Timestamp),
  html_url: Nullable(Type.String())
}, { $id: 'TracedPull' })
export type TracedPull = Static<typeof TracedPull>

export const TracedCommit = Type.Object({
  repo_id: RepoId, sha: Type.String(), headline: Type.String(), html_url: Nullable(Type.String())
}, { $id: 'TracedCommit' })
export type TracedCommit = Static<typeof TracedCommit>

export const TracedDeployment = Type.Object({
  app_id: Id,
  app: Type.String(),
  environment: Nullable(Type.String()),
  build_number: Type.Integer(),
  commit: Type.String({ description: 'What runs: it contains a commit that names the requirement' }),
  finished_at: Nullable(Timestamp)
}, { $id: 'TracedDeployment' })
export type TracedDeployment = Static<typeof TracedDeployment>

export const TracedRequirement = Type.Object({
  id: Type.String(),
  title: Type.String(),
  statement: Type.String(),
  status: Requirement.properties.status,
  citations: Type.Array(Citation),
  task_ids: Type.Array(Type.String()),
  issues: Type.Array(TracedIssue, { description: 'Of its tasks' }),
  pulls: Type.Array(TracedPull),
  commits: Type.Array(TracedCommit),
  deployments: Type.Array(TracedDeployment),
  progress: Words(['none', 'proposed', 'merged', 'deployed'], { description: 'The furthest that a link proves' })
}, { $id: 'TracedRequirement' })
export type TracedRequirement = Static<typeof TracedRequirement>

export const TracedRepository = Type.Object({
  repo_id: RepoId,
  pulls: Type.Integer({ description: 'How many were looked at, the last changed first' }),
  commits: Type.Integer({ description: 'How many of the default branch were looked at, newest first' }),
  complete: Type.Boolean({ description: 'false: there are older ones, or a commit was not to be had' })
}, { $id: 'TracedRepository' })
export type TracedRepository = Static<typeof TracedRepository>

export const SpecTrace = Type.Object({
  session_id: Id,
  version: Type.Integer(),
  repositories: Type.Array(TracedRepository, { description: 'Empty: no input names one, and the request neither' }),
  requirements: Type.Array(TracedRequirement)
}, { $id: 'SpecTrace' })
export type SpecTrace = Static<typeof SpecTrace>
