import { Type, type Static } from '@sinclair/typebox'
import { Defaulted, Expected, Id, Nullable, page, PageQuery, Timestamp, Words } from '../common.js'
import { builderKinds, BuildRun, type BuilderKind } from './builders.js'

/** The job with which the area of deployments reports a build that failed. */
export const buildFailedJob = 'agent.build-failed'

export const BuildFailure = Type.Object({
  workspace_id: Type.String(),
  app_id: Type.String(),
  build_id: Type.String(),
  number: Type.Integer(),
  status: Type.String(),
  status_reason: Nullable(Type.String()),
  branch: Type.String(),
  commit: Nullable(Type.String())
})
export type BuildFailure = Static<typeof BuildFailure>

export const activeStatuses = ['running', 'cancelling'] as const
export const liveStatuses = ['queued', ...activeStatuses] as const
export const buildStatuses = [...liveStatuses, 'succeeded', 'failed', 'cancelled', 'timed_out', 'superseded'] as const
export type BuildStatus = typeof buildStatuses[number]

/** `push` is one of builds that an earlier release has begun. */
export const stepNames = ['checkout', 'build', 'push', 'deploy', 'verify'] as const
export type StepName = typeof stepNames[number]

export const Ref = Type.String({
  pattern: '^[A-Za-z0-9_](?!.*\\.\\.)[A-Za-z0-9._/-]{0,254}$',
  examples: ['main'],
  description: 'A branch, tag or commit, such as main'
})
export const Commit = Type.String({
  pattern: '^[0-9a-f]{7,64}$',
  examples: ['4f2a9c1'],
  description: 'The hash of a commit'
})
export const Image = Type.String({
  pattern: '^[a-z0-9][A-Za-z0-9._/:-]*[A-Za-z0-9](@sha256:[0-9a-f]{64})?$',
  examples: ['registry.example.com/web:2.4.1'],
  maxLength: 600,
  description: 'Such as registry/app:1.2.3 or registry/app@sha256:…'
})

export const BuildStep = Type.Object({
  name: Words<StepName>(stepNames),
  status: Words(['pending', 'running', 'succeeded', 'failed', 'skipped', 'cancelled']),
  started_at: Nullable(Timestamp),
  finished_at: Nullable(Timestamp),
  exit_code: Nullable(Type.Integer({ description: 'null: the step is no process of ours' })),
  error: Nullable(Type.String()),
  timeout_s: Type.Integer()
}, { $id: 'BuildStep' })
export type BuildStep = Static<typeof BuildStep>

/** What the target runs, by the names that AWS gives: each change of it changes one of them. */
const states = {
  task_definition: Nullable(Type.String({ maxLength: 300, description: 'Of a service' })),
  deployment_id: Nullable(Type.String({
    maxLength: 100, description: 'Of a service: its primary deployment at AWS, such as ecs-svc/123'
  })),
  revision_id: Nullable(Type.String({ maxLength: 100, description: 'Of a function' })),
  alias_revision_id: Type.Optional(Nullable(Type.String({
    maxLength: 100, description: 'Of the alias of a function that the app moves'
  })))
}
export const TargetState = Type.Object({
  ...states,
  version: Type.Optional(Nullable(Type.String({ maxLength: 100, description: 'Where that alias leads' })))
})
export type TargetState = Static<typeof TargetState>

export const ExpectedTarget = Type.Object({
  ...states,
  after_build: Nullable(Type.Unsafe<string>({
    ...Id, description: 'A build of the app that was under way: if it succeeds, what it leaves is expected instead'
  })),
  image_digest: Type.Optional(Nullable(Type.String({
    maxLength: 100, description: 'What the image was when it was shown; null: the registry did not have it yet'
  })))
})
export type ExpectedTarget = Static<typeof ExpectedTarget>

/** What of a target, a build and an app a build was approved on. */
export const BuildFacts = Type.Object({
  ...ExpectedTarget.properties,
  scaled_to_zero: Type.Boolean(),
  live_build: Nullable(Type.String()),
  build: Type.String({ description: 'To which one a rollback goes' }),
  image_digest: Nullable(Type.String()),
  builder: Nullable(Type.String({ description: 'What was to run to make the image' })),
  template: Nullable(Type.String()),
  number: Type.Integer(),
  commit: Nullable(Type.String())
})

const Status = Words<BuildStatus>(buildStatuses, { description: 'After running and cancelling none changes any more' })

export const BuildRef = Type.Object({
  id: Id, number: Type.Integer(), status: Status, commit: Nullable(Type.String()), finished_at: Nullable(Timestamp)
}, { $id: 'BuildRef' })
export type BuildRef = Static<typeof BuildRef>

const fields = {
  id: Id,
  app_id: Id,
  number: Type.Integer(),
  status: Status,
  status_reason: Nullable(Type.String({
    description: 'failed: step_failed, worker_lost or deploy_rolled_back; timed_out: step_timeout; cancelled: ' +
      'user_cancel; superseded: target_changed where the target ran something else than was shown, newer_push where a newer ' +
      'push came while the image of this one was awaited: nothing was deployed; succeeded: cancelled_too_late where a ' +
      'cancel came after the deployment had won, latest_only where it ' +
      'changed only $LATEST of a function, so that versions and aliases run what they ran'
  })),
  trigger: Words(['manual', 'push', 'rollback']),
  ref: Type.String(),
  commit: Nullable(Type.String({
    description: 'Once the build has begun, a commit that the code host has; null: it could not be looked up'
  })),
  commit_message: Nullable(Type.String()),
  actor: Type.String(),
  image: Nullable(Type.String()),
  image_digest: Nullable(Type.String()),
  builder: Nullable(Words<BuilderKind>(builderKinds, { description: 'null: no image is built, the one that is named is deployed' })),
  run: Nullable(BuildRun),
  deployment_id: Nullable(Id),
  rollback_of: Nullable(Id),
  published: Nullable(Type.Object({ function_id: Type.String(), version: Type.String() }, {
    description: 'The version to which the build moved the alias of its function: a rollback to this build moves it there'
  })),
  superseded_by: Nullable(Id),
  steps: Type.Array(BuildStep),
  created_at: Timestamp,
  started_at: Nullable(Timestamp),
  finished_at: Nullable(Timestamp),
  duration_ms: Nullable(Type.Integer()),
  log: Type.Object({ lines: Type.Integer(), bytes: Type.Integer(), truncated: Type.Boolean() })
}

export const Build = Type.Object(fields, { $id: 'Build' })
export type Build = Static<typeof Build>

export const StartedBuild = Type.Object({
  ...fields,
  deduplicated: Type.Boolean({ description: 'true: this build was queued or running already for the same commit' })
}, { $id: 'StartedBuild' })
export type StartedBuild = Static<typeof StartedBuild>

export const BuildPage = page(Build, 'BuildPage')
export const ListBuilds = Type.Object({ ...PageQuery, status: Type.Optional(Words<BuildStatus>(buildStatuses)) })
export const BuildParams = Type.Object({ app_id: Id, build_id: Id })

export const DeployApp = Type.Object({
  ref: Type.Optional(Type.Unsafe<string>({
    ...Ref, description: 'A branch, tag or commit; default: the default branch'
  })),
  commit: Type.Optional(Commit),
  image: Type.Optional(Type.Unsafe<string>({ ...Image, description: 'Instead of the image of the app\'s template' })),
  rollback_to: Type.Optional(Type.Unsafe<string>({
    ...Id, description: 'A build that succeeded: its image is deployed again. Excludes ref, commit and image'
  })),
  force: Defaulted(Type.Boolean({ default: false, description: 'Build although the same commit is queued or running' })),
  expected: Expected(BuildFacts)
}, { $id: 'DeployApp', additionalProperties: false })
export type DeployApp = Static<typeof DeployApp>

export const RollbackBuild = Type.Object({ expected: Expected(BuildFacts) },
  { $id: 'RollbackBuild', additionalProperties: false })

export const PreviewQuery = Type.Object({
  ref: Type.Optional(Type.Unsafe<string>({ ...Ref, description: 'A branch, tag or commit; default: the default branch' })),
  commit: Type.Optional(Commit)
})

export const BuildPreview = Type.Object({
  app_id: Id,
  builder: Nullable(Words<BuilderKind>(builderKinds)),
  image: Nullable(Type.String({ description: 'What a build of this commit would deploy, as the template names it' })),
  digest: Nullable(Type.String({ description: 'What the registry has under this name now' })),
  runs: Type.String({ description: 'What would run to make the image' }),
  cost: Nullable(Type.String({ description: 'What that may cost; null where nothing runs' })),
  notes: Type.Array(Type.String())
}, { $id: 'BuildPreview' })
export type BuildPreview = Static<typeof BuildPreview>
