import { Type, type Static } from '@sinclair/typebox'
import { Defaulted, Expected, Id, Nullable, partialPage, Timestamp, Words } from '../common.js'
import { ImageCheck } from '../cloud/errors.js'
import { Reference } from './services.js'
import { Image } from './service-deployments.js'

export const FunctionUpdate = Type.Object({
  status: Words(['successful', 'failed', 'in_progress'] as const),
  reason: Nullable(Type.String())
}, { $id: 'FunctionUpdate', description: 'How the last change of code or settings went; null in lists' })

/** Lambda takes a name of digits alone for the number of a version. */
export const FunctionAliasName = Type.String({
  pattern: '^(?![0-9]+$)[A-Za-z0-9_-]{1,128}$', examples: ['live'], description: 'An alias of the function'
})

export const FunctionAlias = Type.Object({
  name: Type.String(),
  revision_id: Nullable(Type.String({ description: 'Changes with every change of the alias' })),
  versions: Type.Array(Type.Object({
    version: Type.String(), share: Type.Number({ description: 'Of the calls, from 0 to 1' })
  }, { additionalProperties: false }), { description: 'More than one while Lambda divides the calls by weight' })
}, { $id: 'FunctionAlias' })
export type FunctionAlias = Static<typeof FunctionAlias>

export const ServerlessFunction = Type.Object({
  id: Type.String({ description: '<account_id>~<region>~<name>' }),
  arn: Type.String(),
  name: Type.String(),
  account_id: Id,
  account_name: Type.String(),
  environment: Nullable(Type.String({ description: 'Of the account, such as production' })),
  read_only: Type.Boolean({ description: 'The account is read-only here: nothing is changed through it' }),
  region: Type.String(),
  runtime: Nullable(Type.String({ description: 'null for a container image' })),
  package_type: Words(['Zip', 'Image'] as const),
  architectures: Type.Array(Type.String()),
  memory_mb: Type.Integer(),
  timeout_s: Type.Integer(),
  code_size: Type.Integer(),
  last_modified: Nullable(Timestamp),
  description: Nullable(Type.String()),
  version: Type.String(),
  state: Nullable(Type.String({ description: 'null in lists: AWS returns it for a single function only' })),
  last_update: Nullable(FunctionUpdate),
  image: Nullable(Type.String({
    description: 'The container image; null in lists, for archives, and without the permission lambda:GetFunction'
  })),
  image_digest: Nullable(Type.String({ description: 'What the tag stood for when the image was set' })),
  revision_id: Nullable(Type.String({ description: 'Changes with every change of the function' })),
  code_sha256: Nullable(Type.String({ description: 'What Lambda says the code is' })),
  aliases: Nullable(Type.Array(FunctionAlias, {
    description: 'Who calls an alias gets its versions, whatever $LATEST is; null in lists, and where they may not ' +
      'be read: then it is not known whether there are any'
  })),
  log_group: Type.String(),
  env_keys: Type.Array(Type.String(), { description: 'Names of the environment variables; never their values' }),
  console_url: Type.String(),
  registry: Type.Optional(ImageCheck)
}, { $id: 'ServerlessFunction' })
export type ServerlessFunction = Static<typeof ServerlessFunction>

export const FunctionPage = partialPage(ServerlessFunction, 'FunctionPage')
export const FunctionParams = Type.Object({ name: Reference })
export const FunctionQuery = Type.Object({
  qualifier: Type.Optional(Type.String({
    pattern: '^[$A-Za-z0-9_-]{1,128}$',
    examples: ['live'],
    description: 'A version or an alias'
  })),
  image: Type.Optional(Type.Unsafe<string>({ ...Image, description: 'Asks the registry whether it has this image' }))
})

/** What of a function a change was approved on: the version that the qualifier means. */
const functionFacts = {
  version: Type.String(),
  revision_id: Nullable(Type.String()),
  code_sha256: Nullable(Type.String())
}

export const InvokeFacts = Type.Object({
  ...functionFacts,
  routing: Nullable(FunctionAlias.properties.versions)
})
export type InvokeFacts = Static<typeof InvokeFacts>

export const FunctionFacts = Type.Object({
  ...functionFacts,
  image: Nullable(Type.String()),
  image_digest: Nullable(Type.String())
})
export type FunctionFacts = Static<typeof FunctionFacts>

export type InvokeMode = 'sync' | 'async' | 'dry_run'
export const InvokeFunction = Type.Object({
  payload: Type.Optional(Type.Unknown({ description: 'Any JSON: the event that the function gets' })),
  mode: Defaulted(Words<InvokeMode>(['sync', 'async', 'dry_run'], {
    default: 'sync', description: 'sync waits for the answer; async hands over; dry_run only checks that it may run'
  })),
  qualifier: FunctionQuery.properties.qualifier,
  log_tail: Defaulted(Type.Boolean({ default: true, description: 'With sync: the last 4 KB of the log' })),
  expected: Expected(InvokeFacts)
}, { $id: 'InvokeFunction', additionalProperties: false })
export type InvokeFunction = Static<typeof InvokeFunction>

export const InvokeResult = Type.Object({
  id: Id,
  function_id: Type.String(),
  qualifier: Type.String(),
  mode: Words<InvokeMode>(['sync', 'async', 'dry_run']),
  status: Words(['ok', 'function_error', 'accepted', 'validated'] as const, {
    description: 'function_error: the function ran and failed'
  }),
  status_code: Type.Integer(),
  executed_version: Nullable(Type.String()),
  payload: Type.Unknown({ description: 'What the function answered, where it is JSON' }),
  payload_text: Nullable(Type.String()),
  payload_base64: Nullable(Type.String()),
  function_error: Nullable(Type.Object({
    kind: Type.String(),
    type: Nullable(Type.String()),
    message: Nullable(Type.String()),
    trace: Nullable(Type.Array(Type.String()))
  })),
  log_tail: Nullable(Type.String({ description: 'May begin in the middle of a line' })),
  duration_ms: Type.Integer({ description: 'From here to the answer' }),
  billed_ms: Nullable(Type.Integer()),
  aws_request_id: Nullable(Type.String())
}, { $id: 'InvokeResult' })
export type InvokeResult = Static<typeof InvokeResult>

export const DeployFunction = Type.Object({
  image: Image,
  revision_id: Type.Optional(Type.String({
    minLength: 1, maxLength: 100, description: 'Deploy only if the function is still at this revision'
  })),
  dry_run: Defaulted(Type.Boolean({
    default: false, description: 'AWS checks the permission and the image; nothing changes'
  })),
  alias_revision: Type.Optional(Type.Object({
    name: FunctionAliasName, revision_id: Type.String({ minLength: 1, maxLength: 100 })
  }, { additionalProperties: false, description: 'Deploy only if this alias is still at this revision' })),
  expected: Expected(FunctionFacts)
}, { $id: 'DeployFunction', additionalProperties: false })
export type DeployFunction = Static<typeof DeployFunction>

export const FunctionDeployment = Type.Object({
  function_id: Type.String(),
  image: Type.String(),
  previous_image: Nullable(Type.String({ description: 'To go back to; null where it may not be read' })),
  revision_id: Nullable(Type.String()),
  version: Type.Literal('$LATEST', { description: 'What has the image now' }),
  aliases: Nullable(Type.Array(FunctionAlias, {
    description: 'They have the versions that they had: who calls one does not get the image. null = could not be read'
  })),
  dry_run: Type.Boolean(),
  last_update: Nullable(FunctionUpdate)
}, { $id: 'FunctionDeployment' })
export type FunctionDeployment = Static<typeof FunctionDeployment>

export const FunctionAliasParams = Type.Object({ name: Reference, alias: FunctionAliasName })

/** What of an alias a move was approved on: where its calls go, and the code to which they are to go. */
export const AliasFacts = Type.Object({
  versions: FunctionAlias.properties.versions,
  revision_id: FunctionAlias.properties.revision_id,
  code_sha256: Nullable(Type.String())
})
export type AliasFacts = Static<typeof AliasFacts>

export const MoveFunctionAlias = Type.Object({
  version: Type.Optional(Type.String({
    pattern: '^(\\$LATEST|[0-9]{1,20})$',
    examples: ['41'],
    description: 'A version to lead to, such as the one before to go back; without it $LATEST is published as a version, ' +
      'and the alias leads there'
  })),
  expected: Expected(AliasFacts)
}, { $id: 'MoveFunctionAlias', additionalProperties: false })
export type MoveFunctionAlias = Static<typeof MoveFunctionAlias>

export const FunctionAliasMove = Type.Object({
  function_id: Type.String(),
  alias: Type.String(),
  version: Type.String({ description: 'Where all calls of the alias go now' }),
  previous_versions: Type.Array(FunctionAlias.properties.versions.items, { description: 'To go back to' }),
  revision_id: Nullable(Type.String({ description: 'Of the alias' }))
}, { $id: 'FunctionAliasMove' })
export type FunctionAliasMove = Static<typeof FunctionAliasMove>
