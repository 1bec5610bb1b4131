import type { AccountRow } from '../../../../db/cloud/accounts.js'
import type { Principal } from '../../../../lib/security/principal.js'
import type { CostForecast, CostQuery, CostReport, CostTagQuery, CostTags } from '../../../../schemas/cloud/costs.js'
import type { SourceError } from '../../../../schemas/common.js'
import { keysOf } from '../../../../schemas/unknown.js'
import {
  chooseAccounts, toSourceError, readCosts, type AccountCosts, type CostDeps, type PartAnswer, readTags
} from './read-costs.js'
import { readCostRange } from './costs.js'
import { noForecast } from './fetch-costs.js'
import { mergeSlices, type Part, sourceOf } from './merge-costs.js'

/**
 * The keys of tags of all accounts; `errors` names the accounts that did not answer.
 * @throws cost_range_invalid, cost_budget_exhausted, cost_data_unavailable, and what AWS answers when no account has
 * an answer
 */
export const reportTags = async (deps: CostDeps, principal: Principal, query: CostTagQuery): Promise<CostTags> => {
  const range = readCostRange(query)
  const { accounts, errors, notes } = await chooseAccounts(deps, principal, query.account_id)
  const read = await Promise.all(accounts.map(async (counted) =>
    ({ account: counted.account, answer: await readTags(deps, counted, range) })))
  const answered = read.filter(({ answer }) => answer.slice !== null)
  const failure = read[0]?.answer.error
  if (failure && answered.length === 0) throw failure
  const failed = [...errors, ...read.flatMap(({ account, answer: { error } }) =>
    error ? [toSourceError(account, error)] : [])]
  return {
    keys: [...new Set(answered.flatMap(({ answer }) => answer.slice?.tags ?? []))].sort(),
    account_ids: answered.map(({ account }) => account.id),
    start_date: range.start,
    end_date: range.end,
    adjustments: [...range.adjustments, ...notes],
    source: sourceOf(read.map(({ answer }) => answer)),
    partial: errors.length > 0 || answered.length < read.length,
    errors: failed
  }
}

const names = { costs: undefined, forecast: 'The forecast', anomalies: 'The anomalies' } as const

const errorsOf = (account: AccountRow, answers: AccountCosts): SourceError[] =>
  keysOf(names).flatMap((name) => {
    const error = answers[name]?.error
    return error ? [toSourceError(account, error, names[name])] : []
  })

/** A requested forecast that AWS did not answer has the reason instead. */
const forecastOf = (answer: PartAnswer | null): CostForecast => {
  if (answer === null) return noForecast
  return answer.slice?.forecast ?? { ...noForecast, status: 'unavailable', reason: answer.error?.message ?? null }
}

const earliest = (times: (Date | null)[]): Date | null =>
  times.filter((time) => time !== null).sort((a, b) => a.getTime() - b.getTime())[0] ?? null

const toPart = (account: AccountRow, answers: AccountCosts): Part => {
  const { costs, forecast, anomalies } = answers
  const all = [costs, forecast, anomalies].filter((answer) => answer !== null)
  return {
    account,
    slice: {
      periods: costs.slice?.periods ?? [],
      forecast: forecastOf(forecast),
      anomalies: anomalies?.slice?.anomalies ?? null
    },
    fetched_at: earliest(all.map((answer) => answer.fetched_at)),
    expires_at: earliest(all.map((answer) => answer.expires_at)),
    requests: all.reduce((sum, answer) => sum + answer.requests, 0),
    kept: all.every((answer) => answer.kept),
    stale: all.some((answer) => answer.stale),
    answered: costs.slice !== null,
    whole: all.every((answer) => answer.slice !== null),
    errors: errorsOf(account, answers)
  }
}

/**
 * What the accounts cost. What was paid for is answered and kept even where another account, the forecast or the
 * anomalies fail; `errors` names what failed.
 * @throws cost_range_invalid, cost_budget_exhausted, cost_data_unavailable, and what AWS answers when no account has
 * an answer
 */
export const reportCosts = async (deps: CostDeps, principal: Principal, query: CostQuery): Promise<CostReport> => {
  const range = readCostRange(query)
  const { accounts, errors, notes } = await chooseAccounts(deps, principal, query.account_id)
  const read = await Promise.all(accounts.map(async (counted) =>
    ({ account: counted.account, answers: await readCosts(deps, counted, range, query) })))
  const parts = read.map(({ account, answers }) => toPart(account, answers))
  const failure = read[0]?.answers.costs.error
  if (failure && parts.every(({ answered }) => !answered)) throw failure
  const isRefreshIgnored = query.refresh && parts.some((part) => part.answered && part.requests === 0 && !part.stale)
  const adjustments = [
    ...range.adjustments,
    ...notes,
    ...(isRefreshIgnored ? ['refresh ignored: what is kept is younger than 15 minutes'] : [])
  ]
  return mergeSlices(parts, errors, { ...range, adjustments }, query)
}
