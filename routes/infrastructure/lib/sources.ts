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
import { AccountUnusable, AwsTimeout } from '../../../schemas/cloud/errors.js'
import { ApiError } from '../../../schemas/errors.js'
import { CloudAccountNotFound } from './errors.js'
import { awsDetailOf } from '../../../lib/aws/errors.js'
import { itemAt } from '../../../schemas/keys.js'

export type Deps =
  Pick<FastifyInstance, 'db' | 'config'> & { aws: Pick<FastifyInstance['aws'], 'client' | 'inventory'> }

/** The same, for what writes. */
export type ActingDeps = Omit<Deps, 'aws'> & { aws: ActingAws }

/** @returns the same, with writes that AWS's own log shows as done for the principal */
export const actingFor = ({ db, config, aws }: Pick<FastifyInstance, 'db' | 'config' | 'aws'>, principal: Principal):
ActingDeps => ({ db, config, aws: aws.actingFor(actorOf(principal)) })

/** An account in one region: AWS is asked once for each. */
export interface Source { account: AccountRow, region: string }

export interface Filter { account_id?: string, region?: string }

/** How long a list waits for a source that was late before, until that source has answered. */
const shortTimeoutMs = 250

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

const late = ({ account, region }: Source) =>
  AwsTimeout(`${region} did not answer in time; ask again later`, { account_id: account.id, region })

/** Stops waiting, not the work: a late answer is there for the next request. */
const withTimeouts = async <T>({ aws, config }: Pick<Deps, 'aws' | 'config'>, source: Source, work: Promise<T>):
Promise<T> => {
  const name = `${keyOfAccount(source.account)}|${source.region}`
  const timeout = aws.inventory.isLate(name) ? shortTimeoutMs : config.limits.source_patience_ms
  let timer: NodeJS.Timeout | undefined
  const limit = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      aws.inventory.markLate(name)
      reject(late(source))
    }, timeout)
  })
  return Promise.race([work, limit]).finally(() => clearTimeout(timer))
}

export interface Gathered<T> { found: T[], errors: SourceError[], partial: boolean }

/**
 * Asks all sources at once; each has its own time-out, so a dead region costs the others nothing.
 * @throws the first source's error when none answered
 */
export const gather = async <T>(deps: Pick<Deps, 'aws' | 'config'>, sources: Source[],
  read: (source: Source) => Promise<T[]>): Promise<Gathered<T>> => {
  const answers = await Promise.allSettled(sources.map((source) => withTimeouts(deps, source, read(source))))
  const found: T[] = []
  const errors: SourceError[] = []
  for (const [index, answer] of answers.entries()) {
    if (answer.status === 'fulfilled') found.push(...answer.value)
    else if (!(answer.reason instanceof ApiError) || errors.length === sources.length - 1) throw answer.reason
    else errors.push(toSourceError(itemAt(sources, index), answer.reason))
  }
  return { found, errors, partial: errors.length > 0 }
}
