import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { type AccountRow, findAccount, listAccounts } from '../../../../db/cloud/accounts.js'
import { dropOldCosts, findCost, saveCost, takeCostRequest, type CostKey } from '../../../../db/cloud/costs.js'
import { requireAccess, resourceOfAccount, visibleAccounts } from '../../../../lib/access/require-access.js'
import { keyOfAccount, readAccountNumber } from '../../../../lib/aws/accounts.js'
import { awsDetailOf } from '../../../../lib/aws/errors.js'
import type { Principal } from '../../../../lib/security/principal.js'
import { whyUnusable } from '../../../../schemas/cloud/accounts.js'
import type { CostQuery, CostSlice } from '../../../../schemas/cloud/costs.js'
import type { SourceError } from '../../../../schemas/common.js'
import { ApiError } from '../../../../schemas/errors.js'
import { CostBudgetExhausted, AccountUnusable, CloudAccountNotFound } from '../errors.js'
import type { CostRange } from './costs.js'
import {
  fetchAnomalies, fetchForecast, fetchPeriods, fetchTags, isSettled, noForecast, type Paid
} from './fetch-costs.js'

type Deps = Pick<FastifyInstance, 'db' | 'aws'>

/** An account whose costs are read; `excluded`: the linked accounts whose own registrations are read. */
interface CountedAccount { account: AccountRow, excluded: string[] }

export interface Chosen { accounts: CountedAccount[], errors: SourceError[], notes: string[] }

/** @param part what could not be read, where the account answered the rest */
export const toSourceError = (account: AccountRow, error: ApiError, part?: string): SourceError => {
  const aws = awsDetailOf(error)
  const detail = part === undefined ? error.message : `${part} could not be read: ${error.message}`
  return { account_id: account.id, region: null, code: error.code, detail, aws_request_id: aws.request_id ?? null }
}

interface Numbered { account: AccountRow, number: string }

/** Orders accounts by their permission to read costs: granted, untested, unknown, denied. */
const rank = ({ account: { capabilities } }: Numbered): number => ['ok', undefined, 'unknown', 'denied']
  .indexOf(capabilities.costs)

const isBetter = (one: Numbered, held: Numbered | undefined): boolean => held === undefined || rank(one) < rank(held)

/** Several registrations of one AWS account have the same costs: only one of them is read. */
const onePerNumber = (all: Numbered[]): Numbered[] => {
  const chosen = new Map<string, Numbered>()
  for (const one of all) if (isBetter(one, chosen.get(one.number))) chosen.set(one.number, one)
  return [...chosen.values()]
}

const noteOf = (chosen: Numbered[]) => ({ account, number }: Numbered): string =>
  `${account.name} is AWS account ${number} too and counts once, as ` +
    `${chosen.find((one) => one.number === number)?.account.name}`

/** Without its number an account could be one that is counted already, so it is left out and named. */
const numberAll = async (deps: Deps, accounts: AccountRow[]) => {
  const numbered: Numbered[] = []
  const failures: { account: AccountRow, error: ApiError }[] = []
  await Promise.all(accounts.map(async (account) => {
    try {
      numbered.push({ account, number: await readAccountNumber(deps, account) ?? account.id })
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      failures.push({ account, error })
    }
  }))
  const positionOf = ({ account }: { account: AccountRow }) => accounts.indexOf(account)
  return { numbered: numbered.sort((a, b) => positionOf(a) - positionOf(b)), failures }
}

const chooseAll = async (deps: Deps, principal: Principal): Promise<Chosen> => {
  const accounts = visibleAccounts(principal, await listAccounts(deps.db, principal.workspace_id))
  const usable = accounts.filter((account) => whyUnusable(account) === undefined)
  const { numbered, failures } = await numberAll(deps, usable)
  if (numbered.length === 0 && failures[0]) throw failures[0].error
  const chosen = onePerNumber(numbered)
  return {
    accounts: chosen.map(({ account, number }) => ({
      account, excluded: chosen.map((one) => one.number).filter((other) => other !== number).sort()
    })),
    errors: failures.map(({ account, error }) => toSourceError(account, error)),
    notes: numbered.filter((one) => !chosen.includes(one)).map(noteOf(chosen))
  }
}

/**
 * @param accountId only this account, with all that it pays for; else all that the principal sees,
 *   each linked account counted once
 * @throws cloud_account_not_found, cloud_account_unusable, and what STS answers when no account has a number
 */
export const chooseAccounts = async (deps: Deps, principal: Principal, accountId: string | undefined):
Promise<Chosen> => {
  if (accountId === undefined) return chooseAll(deps, principal)
  const account = await findAccount(deps.db, principal.workspace_id, accountId)
  if (!account) throw CloudAccountNotFound()
  requireAccess(principal, resourceOfAccount(account), CloudAccountNotFound)
  const refusal = whyUnusable(account)
  if (refusal !== undefined) throw AccountUnusable(refusal, { account_id: accountId })
  return { accounts: [{ account, excluded: [] }], errors: [], notes: [] }
}

export type CostDeps = Pick<FastifyInstance, 'db' | 'aws'>

const openSeconds = 8 * 3600
const settledSeconds = 7 * 86_400
const staleSeconds = 72 * 3600
const refreshSeconds = 900
/** 0.50 USD a day for one account. */
const dailyRequests = 50

/** The kept or fetched answer of one part; without a slice there is neither. */
export interface PartAnswer {
  slice: CostSlice | null
  fetched_at: Date | null
  expires_at: Date | null
  /** Requests that went out to AWS for it, failed ones too. */
  requests: number
  /** It was kept from an earlier request. */
  kept: boolean
  stale: boolean
  error: ApiError | null
}

/** One of the requests to AWS: each is paid for and kept by itself, so none fails with another. */
interface CostPart { key: string, seconds: number, fetch: (paid: Paid) => Promise<CostSlice> }

const none: CostSlice = { periods: [], forecast: noForecast, anomalies: null, tags: null }

const secondsToMidnight = () => Math.ceil((86_400_000 - Date.now() % 86_400_000) / 1_000)

const takeRequest = async ({ db }: CostDeps, account: AccountRow) => {
  if (await takeCostRequest(db, account.workspace_id, account.id, dailyRequests)) return
  throw CostBudgetExhausted(`${account.name} has used its ${dailyRequests} paid requests of today`,
    { account_id: account.id }).withHeaders({ 'retry-after': String(secondsToMidnight()) })
}

const fetchAndKeep = async (deps: CostDeps, { account, excluded }: CountedAccount, key: CostKey, part: CostPart):
Promise<PartAnswer> => {
  let requests = 0
  const pay = async () => { await takeRequest(deps, account); requests++ }
  try {
    const client = await deps.aws.client('costs', account, account.default_region)
    const slice = await part.fetch({ client, account_id: account.id, excluded, pay })
    await dropOldCosts(deps.db, account.workspace_id)
    return { ...await saveCost(deps.db, key, slice, part.seconds), requests, kept: false, stale: false, error: null }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return { slice: null, fetched_at: null, expires_at: null, requests, kept: false, stale: false, error }
  }
}

/** Concurrent requests for the same part share one paid call. */
const once = (deps: CostDeps, key: CostKey, work: () => Promise<PartAnswer>): Promise<PartAnswer> => {
  const name = `${keyOfAccount({ workspace_id: key.workspace_id, id: key.account_id })}|costs|${key.key}`
  const shared = deps.aws.inventory.recall(name, 60_000, work)
  const forget = () => deps.aws.inventory.forget(name)
  shared.then(forget, forget)
  return shared
}

const readPart = async (deps: CostDeps, counted: CountedAccount, refresh: boolean, part: CostPart):
Promise<PartAnswer> => {
  const { account, excluded } = counted
  // The key's column is indexed, and a workspace may have hundreds of accounts.
  const without = excluded.length === 0 ? '' : createHash('sha256').update(excluded.join()).digest('hex')
  const key = { workspace_id: account.workspace_id, account_id: account.id, key: `${part.key}|${without}` }
  const held = await findCost(deps.db, key)
  const isForced = refresh && (held?.age_s ?? Infinity) > refreshSeconds
  if (held?.fresh && !isForced) return { ...held, requests: 0, kept: true, stale: false, error: null }
  const answer = await once(deps, key, () => fetchAndKeep(deps, counted, key, part))
  if (answer.slice || !held || held.age_s > staleSeconds) return answer
  return { ...held, requests: answer.requests, kept: true, stale: !held.fresh, error: answer.error }
}

export interface AccountCosts { costs: PartAnswer, forecast: PartAnswer | null, anomalies: PartAnswer | null }

/** Reads the requested costs of one account, from what was kept where that is fresh: AWS charges for every request. */
export const readCosts = async (deps: CostDeps, counted: CountedAccount, range: CostRange, query: CostQuery):
Promise<AccountCosts> => {
  const today = new Date().toISOString().slice(0, 10)
  const read = (part: CostPart) => readPart(deps, counted, query.refresh, part)
  const costs = await read({
    // The name changes with what a kept answer holds.
    key: ['costs with credits', range.start, range.end_exclusive, range.granularity, query.metric, query.group_by]
      .join('|'),
    seconds: isSettled(range) ? settledSeconds : openSeconds,
    fetch: async (paid) => ({ ...none, periods: await fetchPeriods(paid, range, query) })
  })
  if (!costs.slice) return { costs, forecast: null, anomalies: null }
  return {
    costs,
    forecast: query.forecast
      ? await read({
        key: ['forecast', today, query.metric].join('|'),
        seconds: openSeconds,
        fetch: async (paid) => ({ ...none, forecast: await fetchForecast(paid, query.metric, today) })
      })
      : null,
    anomalies: query.anomalies
      ? await read({
        key: ['anomalies', range.start, range.end].join('|'),
        seconds: isSettled(range) ? settledSeconds : openSeconds,
        fetch: async (paid) => ({ ...none, anomalies: await fetchAnomalies(paid, range, today) })
      })
      : null
  }
}

/** Reads the keys of tags of one account, kept and counted as its costs are. */
export const readTags = (deps: CostDeps, counted: CountedAccount, range: CostRange): Promise<PartAnswer> =>
  readPart(deps, counted, false, {
    key: ['tags', range.start, range.end_exclusive].join('|'),
    seconds: isSettled(range) ? settledSeconds : openSeconds,
    fetch: async (paid) => ({ ...none, tags: await fetchTags(paid, range) })
  })
