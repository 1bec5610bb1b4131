import { Type, type Static } from '@sinclair/typebox'
import { Id, Nullable, PageQuery, Timestamp, Words, page } from '../common.js'
import { Revision } from '../revisions.js'
import { AppBuilder } from './builders.js'
import { BuildRef, Ref } from './builds.js'

/** The job with which the area of the code host reports a push. */
export const pushJob = 'deployments.push'

export const PushNotice = Type.Object({
  workspace_id: Type.String(),
  repo: Type.String(),
  repo_id: Type.Optional(Type.String({ description: 'The code host\'s id of the repository' })),
  branch: Type.String(),
  commit: Type.String(),
  message: Nullable(Type.String()),
  paths: Nullable(Type.Array(Type.String(), {
    description: 'Files that it touches; null = not known, so every app is concerned'
  }))
})
export type PushNotice = Static<typeof PushNotice>

const Name = Type.String({ minLength: 1, maxLength: 100, pattern: '\\S', description: 'Not blank; unique in any case' })
const Reference = Type.String({ minLength: 1, maxLength: 600 })

export const AppSource = Type.Object({
  repo: Type.String({
    minLength: 1,
    maxLength: 200,
    pattern: '^[A-Za-z0-9][A-Za-z0-9._/-]*$',
    examples: ['larkspur/web'],
    description: 'The repository at the code host: owner/name, or its numeric id, which survives a new name'
  }),
  default_branch: Type.Unsafe<string>({ ...Ref, default: 'main' }),
  path: Type.String({
    maxLength: 300,
    default: '',
    description: 'The folder of the application: a push that touches nothing in it starts no build. Empty = all of it'
  })
}, { $id: 'AppSource', additionalProperties: false })
export type AppSource = Static<typeof AppSource>

export const EcsTarget = Type.Object({
  kind: Type.Literal('ecs_service'),
  service_id: Type.Unsafe<string>({
    ...Reference, description: 'An id of listClusterServices; an ARN or a name is resolved'
  }),
  container: Type.String({ minLength: 1, maxLength: 255, description: 'The container that gets the image' })
}, { $id: 'EcsTarget', additionalProperties: false })

export const LambdaTarget = Type.Object({
  kind: Type.Literal('lambda'),
  function_id: Type.Unsafe<string>({
    ...Reference, description: 'An id of listFunctions; an ARN or a name is resolved'
  }),
  alias: Type.Optional(Type.String({
    pattern: '^(?![0-9]+$)[A-Za-z0-9_-]{1,128}$',
    examples: ['live'],
    description: 'Each deployment publishes a version and moves this alias to it, and a rollback moves it back; without ' +
      'one only $LATEST changes, which is not what an alias leads to'
  }))
}, { $id: 'LambdaTarget', additionalProperties: false })
export type LambdaTarget = Static<typeof LambdaTarget>

export const AppTarget = Type.Union([EcsTarget, LambdaTarget],
  { $id: 'AppTarget', discriminator: { propertyName: 'kind' } })
export type AppTarget = Static<typeof AppTarget>

export const AutoDeploy = Type.Object({
  enabled: Type.Boolean({ default: false }),
  branch: Type.Unsafe<string>({ ...Ref, default: 'main' }),
  paths: Type.Array(Type.String({
    minLength: 1, maxLength: 300, pattern: '^[^*]*(?:\\*{1,2}[^*]+){0,8}\\*{0,2}$', examples: ['services/web/**']
  }), {
    maxItems: 50,
    default: [],
    description: 'A push starts a build only if it touches one of these; `*` stands for a name, `**` for any ' +
      'folders, at most nine of them in a path. Empty = every push'
  })
}, { $id: 'AutoDeploy', additionalProperties: false, description: 'Whether a push to the branch starts a build' })
export type AutoDeploy = Static<typeof AutoDeploy>

export const AutoDeployActor = Type.Object({
  user_id: Id,
  name: Type.String(),
  scopes: Nullable(Type.Array(Type.String(), { description: 'Of the token that was used; null = all of the role' }))
}, { $id: 'AutoDeployActor' })

export const RefusedPush = Type.Object({
  commit: Type.String(),
  code: Type.String({ description: 'As of an error: insufficient_role, insufficient_scope, build_queue_full …' }),
  detail: Type.String(),
  at: Timestamp
}, { $id: 'RefusedPush' })

const Image = Type.String({
  minLength: 1,
  maxLength: 600,
  description: 'The image of a build, such as registry/app:{sha}. {sha}, {short_sha}, {ref} and {number} are filled in'
})
export const App = Type.Object({
  id: Id,
  name: Type.String(),
  source: AppSource,
  target: AppTarget,
  environment: Nullable(Type.String({ description: 'Of the cloud account that the app runs in' })),
  read_only: Type.Boolean({ description: 'That account is read-only here: nothing can be deployed to it' }),
  image: Nullable(Type.String()),
  builder: Nullable(AppBuilder),
  auto_deploy: AutoDeploy,
  auto_deploy_as: Nullable(AutoDeployActor),
  refused_push: Nullable(RefusedPush),
  status: Words(['idle', 'building', 'failed', 'never_deployed'], {
    description: 'building while a build is queued or runs; else as the last build that came to an end'
  }),
  live_build: Nullable(BuildRef),
  latest_build: Nullable(BuildRef),
  queue_length: Type.Integer(),
  revision: Revision,
  created_by: Id,
  created_at: Timestamp,
  updated_at: Timestamp
}, {
  $id: 'App',
  description: 'builder says how the image of a commit comes to be; null: no image is built, the one that is named is ' +
    'deployed. live_build is the newest that succeeded, latest_build the newest of all. auto_deploy_as: pushes are ' +
    'built with the rights of whoever set source, target, image, builder or auto_deploy last, looked up again at each push; ' +
    'null while pushes build nothing. refused_push: the last push, where it built nothing, and why'
})
export type App = Static<typeof App>

export const AppPage = page(App, 'AppPage')
export const ListApps = Type.Object(PageQuery)
export const AppParams = Type.Object({ app_id: Id })

export const CreateApp = Type.Object({
  name: Name,
  source: AppSource,
  target: AppTarget,
  image: Type.Optional(Nullable(Image)),
  builder: Type.Optional(Type.Unsafe<AppBuilder | null>({
    ...Nullable(AppBuilder), description: 'How the image of a commit comes to be; null: the image is named at each build'
  })),
  auto_deploy: Type.Optional(AutoDeploy)
}, { $id: 'CreateApp', additionalProperties: false })
export type CreateApp = Static<typeof CreateApp>

export const UpdateApp = Type.Partial(CreateApp, { $id: 'UpdateApp', additionalProperties: false, minProperties: 1 })
export type UpdateApp = Static<typeof UpdateApp>
