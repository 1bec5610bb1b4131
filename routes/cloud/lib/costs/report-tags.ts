import type { Principal } from '../../../../lib/security/principal.js'
import type { CostTagQuery, CostTags } from '../../../../schemas/cloud/cost-tags.js'
import { chooseAccounts, toSourceError } from './choose-accounts.js'
import { readCostRange } from './cost-range.js'
import { sourceOf } from './merge-costs.js'
import { readTags, type CostDeps } from './read-costs.js'

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
