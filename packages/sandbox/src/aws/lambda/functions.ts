import type {
  FunctionConfiguration, GetAliasRequest, GetFunctionRequest, GetFunctionResponse, ListAliasesRequest,
  ListAliasesResponse, ListFunctionsRequest, ListFunctionsResponse, ListTagsRequest, ListTagsResponse,
  ListVersionsByFunctionRequest, ListVersionsByFunctionResponse, AliasConfiguration
} from '@aws-sdk/client-lambda'
import { createHash } from 'node:crypto'
import { operation, type Call } from '../core/operation.js'
import { page, type Page } from '../core/paging.js'
import type { Wire } from '../core/wire.js'
import { badValue, functionArn, requireFunction, requireVersion, notFound } from './lookup.js'

const PER_PAGE = 50

export const functionOperations = {
  ListFunctions: operation('lambda:ListFunctions', listFunctions),
  GetFunction: operation('lambda:GetFunction', getFunction, ({ region, input }) => functionArn(region, input)),
  GetFunctionConfiguration: operation('lambda:GetFunctionConfiguration', getConfiguration,
    ({ region, input }) => functionArn(region, input)),
  ListAliases: operation('lambda:ListAliases', listAliases, ({ region, input }) => functionArn(region, input)),
  GetAlias: operation('lambda:GetAlias', getAlias, ({ region, input }) => functionArn(region, input)),
  ListVersionsByFunction: operation('lambda:ListVersionsByFunction', listVersions,
    ({ region, input }) => functionArn(region, input)),
  ListTags: operation('lambda:ListTags', listTags, ({ input }) => input.Resource ?? '*')
}

function listFunctions ({ region, input }: Call<ListFunctionsRequest>): Wire<ListFunctionsResponse> {
  const all = [...region.functions.values()]
    .flatMap((one) => input.FunctionVersion === 'ALL' ? one.versions : one.versions.slice(0, 1))
  const { items, nextToken } = pageOf(all, 'functions', input)
  return { Functions: items.map(withoutState), ...(nextToken ? { NextMarker: nextToken } : {}) }
}

function getFunction ({ region, input }: Call<GetFunctionRequest>): Wire<GetFunctionResponse> {
  const state = requireFunction(region, input)
  const version = requireVersion(region, input)
  const isImage = version.PackageType === 'Image'
  const own = version.Version === '$LATEST' ? state.image : state.images?.[version.Version ?? '']
  const image = own ?? `${region.accountId}.dkr.ecr.${region.name}.amazonaws.com/${state.name}:latest`
  const digest = createHash('sha256').update(image).digest('hex')
  return {
    Configuration: version,
    Code: isImage
      ? { RepositoryType: 'ECR', ImageUri: image, ResolvedImageUri: `${image.replace(/(:[^/:]*|@.*)$/, '')}@sha256:${digest}` }
      : { RepositoryType: 'S3', Location: `https://awslambda-${region.name}-tasks.example/${state.name}.zip` },
    Tags: state.tags,
    ...(state.reservedConcurrency === null
      ? {}
      : { Concurrency: { ReservedConcurrentExecutions: state.reservedConcurrency } })
  }
}

function getConfiguration ({ region, input }: Call<GetFunctionRequest>): Wire<FunctionConfiguration> {
  return requireVersion(region, input)
}

function listAliases ({ region, input }: Call<ListAliasesRequest>): Wire<ListAliasesResponse> {
  const { name, aliases } = requireFunction(region, input)
  const wanted = aliases.filter((one) => !input.FunctionVersion || one.FunctionVersion === input.FunctionVersion)
  const { items, nextToken } = pageOf(wanted, `aliases/${name}`, input)
  return { Aliases: items, ...(nextToken ? { NextMarker: nextToken } : {}) }
}

function getAlias ({ region, input }: Call<GetAliasRequest>): Wire<AliasConfiguration> {
  const alias = requireFunction(region, input).aliases.find((one) => one.Name === input.Name)
  if (!alias) throw notFound(`Cannot find alias arn: ${functionArn(region, input)}:${input.Name ?? ''}`)
  return alias
}

function listVersions ({ region, input }: Call<ListVersionsByFunctionRequest>): Wire<ListVersionsByFunctionResponse> {
  const { name, versions } = requireFunction(region, input)
  const { items, nextToken } = pageOf(versions, `versions/${name}`, input)
  return { Versions: items.map(withoutState), ...(nextToken ? { NextMarker: nextToken } : {}) }
}

function listTags ({ region, input }: Call<ListTagsRequest>): Wire<ListTagsResponse> {
  return { Tags: requireFunction(region, { FunctionName: input.Resource }).tags }
}

/** Query parameters are text; a page has at most fifty entries. */
function pageOf<Item> (
  items: Item[], scope: string, { MaxItems, Marker }: { MaxItems?: number | undefined, Marker?: string | undefined }
): Page<Item> {
  const size = MaxItems === undefined ? PER_PAGE : Number(MaxItems)
  const rule = { fallback: PER_PAGE, max: 10_000, error: badValue }
  const capped = size > PER_PAGE && size <= rule.max ? PER_PAGE : size
  return page(items, scope, { size: capped, token: Marker }, rule)
}

/** Lists omit the state of a function. */
function withoutState (one: Wire<FunctionConfiguration>): Wire<FunctionConfiguration> {
  const {
    State, StateReason, StateReasonCode, LastUpdateStatus, LastUpdateStatusReason, LastUpdateStatusReasonCode,
    RuntimeVersionConfig, ...rest
  } = one
  return rest
}
