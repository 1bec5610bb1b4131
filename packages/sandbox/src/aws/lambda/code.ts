import type {
  AliasConfiguration, CreateAliasRequest, FunctionConfiguration, PublishVersionRequest, UpdateAliasRequest,
  UpdateFunctionCodeRequest
} from '@aws-sdk/client-lambda'
import { createHash } from 'node:crypto'
import { AwsError } from '../core/errors.js'
import { operation, type Call } from '../core/operation.js'
import type { Wire } from '../core/wire.js'
import type { World } from '../core/world.js'
import { endingNow } from '../ecs/endings.js'
import { badValue, functionArn, requireFunction, notFound } from './lookup.js'
import type { FunctionState } from './state.js'

const UPDATE_MS = 2000

/** As the wire has it: the archive is base64. */
type CodeRequest = Wire<UpdateFunctionCodeRequest>

export const codeOperations = {
  UpdateFunctionCode: operation('lambda:UpdateFunctionCode', updateCode, ({ region, input }) =>
    functionArn(region, input)
  ),
  PublishVersion: operation('lambda:PublishVersion', publishVersion, ({ region, input }) =>
    functionArn(region, input)
  ),
  CreateAlias: operation('lambda:CreateAlias', createAlias, ({ region, input }) => functionArn(region, input)),
  UpdateAlias: operation('lambda:UpdateAlias', updateAlias, ({ region, input }) => functionArn(region, input))
}

/** Lambda's way to write a time. */
export function lambdaTime (milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace('Z', '+0000')
}

function updateCode (call: Call<CodeRequest>): Wire<FunctionConfiguration> {
  const { input, region } = call
  const state = requireFunction(region, input)
  const latest = state.versions[0]!
  requireValid(latest, input, functionArn(region, input))
  if (input.DryRun) return latest
  const code =
    input.ZipFile ?? input.ImageUri ?? `${input.S3Bucket ?? ''}/${input.S3Key ?? ''}/${input.S3ObjectVersion ?? ''}`
  Object.assign(latest, {
    CodeSha256: createHash('sha256').update(code).digest('base64'),
    CodeSize: input.ZipFile ? Buffer.byteLength(input.ZipFile, 'base64') : latest.CodeSize,
    Architectures: input.Architectures ?? latest.Architectures,
    ...changed(call),
    LastUpdateStatus: 'InProgress',
    LastUpdateStatusReason: 'The function is being created.',
    LastUpdateStatusReasonCode: undefined
  })
  if (input.ImageUri !== undefined) state.image = input.ImageUri
  call.world.clock.at(call.now + UPDATE_MS, () => {
    finishUpdate(call.world, latest, input.ImageUri)
  })
  return input.Publish ? publish(state, '') : { ...latest }
}

function requireValid (latest: Wire<FunctionConfiguration>, input: CodeRequest, arn: string): void {
  if (latest.PackageType === 'Image' ? !input.ImageUri : input.ImageUri !== undefined) {
    throw badValue(
      `Please ${latest.PackageType === 'Image' ? '' : 'do not '}provide ImageUri when updating a function ` +
        `with packageType ${latest.PackageType ?? 'Zip'}.`
    )
  }
  if (!input.ImageUri && !input.ZipFile && !(input.S3Bucket && input.S3Key)) {
    throw badValue('Please provide a source for function code.')
  }
  if (input.RevisionId !== undefined && input.RevisionId !== latest.RevisionId) throw staleRevision()
  if (latest.LastUpdateStatus === 'InProgress') throw updateInProgress(arn)
}

function updateInProgress (arn: string): AwsError {
  const message = `The operation cannot be performed at this time. An update is in progress for resource: ${arn}`
  return new AwsError('ResourceConflictException', message, 409)
}

function finishUpdate (world: World, latest: Wire<FunctionConfiguration>, image: string | undefined): void {
  const failed = image !== undefined && endingNow(world, image) === 'nopull'
  latest.LastUpdateStatus = failed ? 'Failed' : 'Successful'
  latest.LastUpdateStatusReason = failed
    ? `Source image ${image} does not exist. Provide a valid source image.`
    : undefined
  latest.LastUpdateStatusReasonCode = failed ? 'InvalidImage' : undefined
}

function publishVersion ({ input, region }: Call<PublishVersionRequest>): Wire<FunctionConfiguration> {
  const state = requireFunction(region, input)
  const latest = state.versions[0]!
  if (input.RevisionId !== undefined && input.RevisionId !== latest.RevisionId) throw staleRevision()
  if (input.CodeSha256 !== undefined && input.CodeSha256 !== latest.CodeSha256) {
    throw badValue(`CodeSHA256 (${input.CodeSha256}) is different from current CodeSHA256 in $LATEST ` +
      `(${latest.CodeSha256 ?? ''}). Please try again with the CodeSHA256 in $LATEST.`)
  }
  if (latest.LastUpdateStatus === 'InProgress') throw updateInProgress(functionArn(region, input))
  return publish(state, input.Description ?? '')
}

/** Freezes `$LATEST` under the next number, unless nothing changed since the last one. */
function publish (state: FunctionState, description: string): Wire<FunctionConfiguration> {
  const latest = state.versions[0]!
  const last = state.versions.at(-1)!
  if (last.Version !== '$LATEST' && last.CodeSha256 === latest.CodeSha256) return last
  const number = last.Version === '$LATEST' ? 1 : Number(last.Version) + 1
  const version = {
    ...latest,
    Version: String(number),
    FunctionArn: `${latest.FunctionArn ?? ''}:${number}`,
    Description: description || latest.Description,
    LastUpdateStatus: 'Successful' as const,
    LastUpdateStatusReason: undefined,
    LastUpdateStatusReasonCode: undefined
  }
  state.versions.push(version)
  if (state.image !== undefined) state.images = { ...state.images, [version.Version]: state.image }
  return version
}

function createAlias (call: Call<CreateAliasRequest>): Wire<AliasConfiguration> {
  const { input, region, world } = call
  const { Name = '', FunctionName, FunctionVersion = '', Description = '', RoutingConfig } = input
  const state = requireFunction(region, { FunctionName })
  const arn = functionArn(region, { FunctionName })
  if (state.aliases.some((one) => one.Name === Name)) {
    throw new AwsError('ResourceConflictException', `Alias already exists: ${arn}:${Name}`, 409)
  }
  if (!state.versions.some(({ Version }) => Version === FunctionVersion)) {
    throw notFound(`Function not found: ${arn}:${FunctionVersion}`)
  }
  const alias = {
    AliasArn: `${arn}:${Name}`,
    Name,
    FunctionVersion,
    Description,
    ...(RoutingConfig && { RoutingConfig }),
    RevisionId: world.ids.uuid()
  }
  state.aliases.push(alias)
  return alias
}

function updateAlias (call: Call<UpdateAliasRequest>): Wire<AliasConfiguration> {
  const { input, region, world } = call
  const state = requireFunction(region, input)
  const alias = state.aliases.find((one) => one.Name === input.Name)
  if (!alias) throw notFound(`Cannot find alias arn: ${functionArn(region, input)}:${input.Name ?? ''}`)
  if (input.RevisionId !== undefined && input.RevisionId !== alias.RevisionId) throw staleRevision()
  const version = input.FunctionVersion ?? alias.FunctionVersion
  if (!state.versions.some((one) => one.Version === version)) {
    throw notFound(`Function not found: ${functionArn(region, input)}:${version ?? ''}`)
  }
  for (const [other, weight] of Object.entries(input.RoutingConfig?.AdditionalVersionWeights ?? {})) {
    if (!state.versions.some((one) => one.Version === other)) {
      throw notFound(`Function not found: ${functionArn(region, input)}:${other}`)
    }
    if (other === '$LATEST' || version === '$LATEST' || other === version || weight < 0 || weight > 1) {
      throw badValue('Invalid additional version weights.')
    }
  }
  Object.assign(alias, {
    FunctionVersion: version,
    Description: input.Description ?? alias.Description,
    ...(input.RoutingConfig && { RoutingConfig: input.RoutingConfig }),
    RevisionId: world.ids.uuid()
  })
  return alias
}

function changed ({ world, now }: Call<unknown>) {
  return { RevisionId: world.ids.uuid(), LastModified: lambdaTime(now) }
}

function staleRevision (): AwsError {
  const message =
    'The RevisionId provided does not match the latest RevisionId. Call the GetFunction/GetAlias API to ' +
    'retrieve the latest Revision Id'
  return new AwsError('PreconditionFailedException', message, 412)
}
