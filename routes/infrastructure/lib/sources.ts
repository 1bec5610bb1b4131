import type { FastifyInstance } from 'fastify'
import { findAccount, keyOfAccount, listAccounts, type AccountRow } from '../../../lib/aws/accounts.js'
import { requireAccess } from '../../../lib/access/require-access.js'
import { resourceOfAccount } from '../../../lib/access/resources.js'
import { visibleAccounts } from '../../../lib/access/role-on.js'
import { actorOf } from '../../../lib/aws/session-name.js'
import type { ActingAws } from '../../../plugins/aws.js'
import type { Principal } from '../../../lib/security/principal.js'
import type { SourceError } from '../../../schemas/common.js'
import { whyUnusable } from '../../../schemas/cloud/accounts.js'
import { AccountUnusable, AwsThrottled, AwsTimeout } from '../../../schemas/cloud/errors.js'
import { ApiError } from '../../../schemas/errors.js'
import { CloudAccountNotFound } from './errors.js'
import { awsDetailOf } from '../../../lib/aws/errors.js'
import { itemAt } from '../../../schemas/keys.js'

export type Deps =
  Pick<FastifyInstance, 'db' | 'config'> & { aws: Pick<FastifyInstance['aws'], 'client' | 'askRegistry' | 'inventory' | 'waitMs'> }

/** The same, for what writes. */
export type ActingDeps = Omit<Deps, 'aws'> & { aws: ActingAws }

/** @returns the same, with writes that AWS's own log shows as done for the principal */
export const actingFor = ({ db, config, aws }: Pick<FastifyInstance, 'db' | 'config' | 'aws'>, principal: Principal):
ActingDeps => ({ db, config, aws: aws.actingFor(actorOf(principal)) })

/** An account in one region: AWS is asked once for each. */
export interface Source { account: AccountRow, region: string }

export interface Filter { account_id?: string, region?: string }

/**
 * @returns every account and region that the principal sees and the filter leaves, without disabled and incomplete
 *   accounts
 * @throws cloud_account_not_found, cloud_account_unusable when the filter names an unusable one
 */
export const listSources = async ({ db }: Deps, principal: Principal, filter: Filter): Promise<Source[]> => {
  const accounts = filter.account_id === undefined
    ? visibleAccounts(principal, await listAccounts(db, principal.workspace_id))
      .filter((account) => whyUnusable(account) === undefined)
    : [await requireUsable(db, principal, filter.account_id)]
  return accounts.flatMap((account) => account.regions
    .filter((region) => filter.region === undefined || region === filter.region)
    .map((region) => ({ account, region })))
}

const requireUsable = async (db: Deps['db'], principal: Principal, id: string): Promise<AccountRow> => {
  const account = await findAccount(db, principal.workspace_id, id)
  if (!account) throw CloudAccountNotFound()
  requireAccess(principal, resourceOfAccount(account), CloudAccountNotFound)
  const refusal = whyUnusable(account)
  if (refusal !== undefined) throw AccountUnusable(refusal, { account_id: id })
  return account
}

export const toSourceError = ({ account, region }: Source, error: ApiError): SourceError => {
  // lib/aws/errors.ts gives every error of AWS this member.
  const aws = awsDetailOf(error)
  const { code, message: detail } = error
  return { account_id: account.id, region, code, detail, aws_request_id: aws.request_id ?? null }
}

/** What a list is made of: one read of each source, remembered under the name. */
export interface SourceRead<T> { name: string, ttlMs: number, read: (source: Source) => Promise<T[]> }

/** @returns the key of what was read, which a write forgets */
export const keyFor = ({ account, region }: Source, name: string): string =>
  `${keyOfAccount(account)}|${region}|${name}`

/** The source may be well: what has not been sent yet, AWS cannot have answered. */
const waitsForItsTurn = ({ account, region }: Source, waitMs: number) => {
  const retry_after = Math.ceil(waitMs / 1_000)
  return AwsThrottled(`Calls to ${region} wait for their turn below AWS's limits; ask again in ${retry_after} s`,
    { account_id: account.id, region, retry_after }).withHeaders({ 'retry-after': String(retry_after) })
}

const late = ({ account, region }: Source) =>
  AwsTimeout(`${region} did not answer in time; ask again later`, { account_id: account.id, region })

/** Stops waiting, not the work: a late answer is there for the next request, and who comes then waits no longer for it. */
const recall = async <T>({ aws, config }: Pick<Deps, 'aws' | 'config'>, source: Source,
  { name, ttlMs, read }: SourceRead<T>): Promise<T[]> => {
  const key = keyFor(source, name)
  const work = aws.inventory.recall(key, ttlMs, () => read(source))
  let timer: NodeJS.Timeout | undefined
  const limit = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      const waitMs = aws.waitMs(source)
      reject(waitMs > 0 ? waitsForItsTurn(source, waitMs) : late(source))
    }, Math.max(0, config.limits.source_patience_ms - aws.inventory.pendingMs(key)))
  })
  return Promise.race([work, limit]).finally(() => clearTimeout(timer))
}

/** `age`: seconds since the oldest part was read from AWS. */
export interface Gathered<T> { found: T[], errors: SourceError[], partial: boolean, age: number }

/**
 * Asks all sources at once; each has its own time-out, so a dead region costs the others nothing.
 * @throws the first source's error when none answered
 */
export const gather = async <T>(deps: Pick<Deps, 'aws' | 'config'>, sources: Source[], what: SourceRead<T>):
Promise<Gathered<T>> => {
  const answers = await Promise.allSettled(sources.map((source) => recall(deps, source, what)))
  const found: T[] = []
  const errors: SourceError[] = []
  for (const [index, answer] of answers.entries()) {
    if (answer.status === 'fulfilled') found.push(...answer.value)
    else if (!(answer.reason instanceof ApiError) || errors.length === sources.length - 1) throw answer.reason
    else errors.push(toSourceError(itemAt(sources, index), answer.reason))
  }
  const age = Math.max(0, ...sources.map((source) => deps.aws.inventory.age(keyFor(source, what.name))))
  return { found, errors, partial: errors.length > 0, age }
}
