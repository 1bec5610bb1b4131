import type { FunctionConfiguration, Lambda } from '@aws-sdk/client-lambda'
import { collectPages } from '../../../../lib/aws/pages.js'
import { consoleOf } from '../../../../schemas/cloud/accounts.js'
import type { ServerlessFunction } from '../../../../schemas/infrastructure/functions.js'
import { makeId } from '../identity.js'
import type { Deps, Source, SourceRead } from '../errors.js'

const ttlMs = 60_000
/** AWS limits functions by the size of their code only; 10,000 are more than a page of ours could show. */
const maxPages = 200

const load = (lambda: Lambda): Promise<FunctionConfiguration[]> =>
  collectPages({ what: 'ListFunctions', maxPages }, async (Marker) => {
    const page = await lambda.listFunctions({ Marker, MaxItems: 50 })
    return { items: page.Functions ?? [], next: page.NextMarker }
  })

/** The functions of one account and region, at most 60 s old. */
export const functionsIn = ({ aws }: Deps): SourceRead<ServerlessFunction> => ({
  name: 'functions',
  ttlMs,
  read: async (source) => (await load(await aws.client('lambda', source.account, source.region)))
    .map((configuration) => describeFunction(source, configuration))
})

/** AWS writes `+0000` where RFC 3339 requires `+00:00`. */
const timeOf = (text: string | undefined): string | null =>
  text === undefined || Number.isNaN(Date.parse(text)) ? null : new Date(text).toISOString()

const updates = { Successful: 'successful', Failed: 'failed', InProgress: 'in_progress' } as const

export const updateOf = ({ LastUpdateStatus: status, LastUpdateStatusReason: reason }: FunctionConfiguration):
ServerlessFunction['last_update'] => status === undefined ? null : { status: updates[status], reason: reason ?? null }

/** @returns the function as the API returns it: names of its environment variables, never their values */
export const describeFunction = ({ account, region }: Source, found: FunctionConfiguration): ServerlessFunction => {
  const name = found.FunctionName ?? ''
  return {
    id: makeId(account.id, region, name),
    arn: found.FunctionArn ?? '',
    name,
    account_id: account.id,
    account_name: account.name,
    environment: account.environment,
    read_only: account.read_only,
    region,
    runtime: found.Runtime ?? null,
    package_type: found.PackageType === 'Image' ? 'Image' : 'Zip',
    architectures: found.Architectures ?? [],
    memory_mb: found.MemorySize ?? 0,
    timeout_s: found.Timeout ?? 0,
    code_size: found.CodeSize ?? 0,
    last_modified: timeOf(found.LastModified),
    description: found.Description || null,
    version: found.Version ?? '$LATEST',
    state: found.State ?? null,
    last_update: updateOf(found),
    image: null,
    image_digest: null,
    revision_id: found.RevisionId ?? null,
    code_sha256: found.CodeSha256 ?? null,
    aliases: null,
    log_group: found.LoggingConfig?.LogGroup ?? `/aws/lambda/${name}`,
    env_keys: Object.keys(found.Environment?.Variables ?? {}).sort(),
    console_url: `${consoleOf(account.partition, region)}/lambda/home?region=${region}#/functions/${name}`
  }
}
