import type { FastifyInstance } from 'fastify'
import { findAccount, listAccounts, type AccountRow } from '../../../db/cloud/accounts.js'
import {
  dropOldCosts, findCost, saveCost, takeCostRequest, type CostKey, type HeldCost
} from '../../../db/cloud/costs.js'
import type { SourceError } from '../../../schemas/common.js'
import type { CostQuery, CostReport } from '../../../schemas/cloud/costs.js'
import { ApiError } from '../../../schemas/errors.js'
import { readCostRange, type CostRange } from './cost-range.js'
import { AccountUnusable, CloudAccountNotFound, CostBudgetExhausted } from './errors.js'
import { fetchCosts, isSettled } from './fetch-costs.js'
import { mergeSlices, type Part } from './merge-costs.js'

type Deps = Pick<FastifyInstance, 'db' | 'aws'>

const openSeconds = 8 * 3600
const settledSeconds = 7 * 86_400
const staleSeconds = 72 * 3600
const refreshSeconds = 900
/** 0.50 USD a day for one account. */
const dailyRequests = 50

const secondsToMidnight = () => Math.ceil((86_400_000 - Date.now() % 86_400_000) / 1_000)

const pay = async ({ db }: Deps, account: AccountRow) => {
  if (await takeCostRequest(db, account.workspace_id, account.id, dailyRequests)) return
  throw CostBudgetExhausted(`${account.name} has used its ${dailyRequests} paid requests of today`,
    { account_id: account.id }).withHeaders({ 'retry-after': String(secondsToMidnight()) })
}

const keyOf = (account: AccountRow, range: CostRange, query: CostQuery): CostKey => ({
  workspace_id: account.workspace_id,
  account_id: account.id,
  key: [range.start, range.end_exclusive, range.granularity, query.metric, query.group_by, query.forecast,
    query.anomalies].join('|')
})

const fetchAndKeep = async (deps: Deps, account: AccountRow, key: CostKey, range: CostRange, query: CostQuery):
Promise<Part> => {
  let requests = 0
  const client = await deps.aws.client('costs', account, account.default_region)
  const paid = { client, account_id: account.id, pay: async () => { await pay(deps, account); requests++ } }
  const slice = await fetchCosts(paid, range, query)
  await dropOldCosts(deps.db, account.workspace_id)
  const held = await saveCost(deps.db, key, slice, isSettled(range) ? settledSeconds : openSeconds)
  return { account, ...held, requests, stale: false, error: null }
}

/** All who ask for the same at once share one paid call. */
const once = (deps: Deps, key: CostKey, work: () => Promise<Part>): Promise<Part> => {
  const name = `${key.account_id}|costs|${key.key}`
  const shared = deps.aws.inventory.recall(name, 60_000, work)
  const forget = () => deps.aws.inventory.forget(name)
  shared.then(forget, forget)
  return shared
}

const fromCache = (account: AccountRow, held: HeldCost, error: SourceError | null): Part =>
  ({ account, ...held, requests: 0, stale: !held.fresh && error !== null, error })

const toSourceError = (account: AccountRow, error: ApiError): SourceError => {
  const { aws } = error.members as { aws?: { request_id?: string } }
  const { code, message: detail } = error
  return { account_id: account.id, region: null, code, detail, aws_request_id: aws?.request_id ?? null }
}

/** @throws the account's error when neither AWS nor what is kept has an answer */
const readPart = async (deps: Deps, account: AccountRow, range: CostRange, query: CostQuery): Promise<Part> => {
  const key = keyOf(account, range, query)
  const held = await findCost(deps.db, key)
  const refresh = query.refresh && (held?.age_s ?? Infinity) > refreshSeconds
  if (held?.fresh && !refresh) return fromCache(account, held, null)
  try {
    return await once(deps, key, () => fetchAndKeep(deps, account, key, range, query))
  } catch (error) {
    if (!(error instanceof ApiError) || !held || held.age_s > staleSeconds) throw error
    return fromCache(account, held, toSourceError(account, error))
  }
}

/** Two registrations of one AWS account would count its costs twice. */
const distinct = (accounts: AccountRow[]): AccountRow[] =>
  [...new Map(accounts.map((account) => [account.aws_account_id ?? account.id, account])).values()]

const chosen = async ({ db }: Deps, workspaceId: string, accountId: string | undefined): Promise<AccountRow[]> => {
  if (accountId === undefined) {
    const all = await listAccounts(db, workspaceId)
    return distinct(all.filter(({ status }) => status !== 'disabled').toReversed()).toReversed()
  }
  const account = await findAccount(db, workspaceId, accountId)
  if (!account) throw CloudAccountNotFound()
  if (account.status === 'disabled') throw AccountUnusable('The cloud account is disabled', { account_id: accountId })
  return [account]
}

/**
 * What the accounts cost, from what is kept where that is fresh: AWS charges for every request.
 * @throws cost_range_invalid, cost_budget_exhausted, cost_data_unavailable, and what AWS answers when no account has
 * an answer
 */
export const reportCosts = async (deps: Deps, workspaceId: string, query: CostQuery): Promise<CostReport> => {
  const range = readCostRange(query)
  const accounts = await chosen(deps, workspaceId, query.account_id)
  const answers = await Promise.allSettled(accounts.map((account) => readPart(deps, account, range, query)))
  const parts: Part[] = []
  const errors: SourceError[] = []
  for (const [index, answer] of answers.entries()) {
    if (answer.status === 'fulfilled') parts.push(answer.value)
    else if (!(answer.reason instanceof ApiError) || errors.length === accounts.length - 1) throw answer.reason
    else errors.push(toSourceError(accounts[index] as AccountRow, answer.reason))
  }
  const refused = query.refresh && parts.some((part) => part.requests === 0 && !part.stale)
  const notes = refused ? ['refresh ignored: what is kept is younger than 15 minutes'] : []
  return mergeSlices(parts, errors, { ...range, adjustments: [...range.adjustments, ...notes] }, query)
}
