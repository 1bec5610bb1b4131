import type { GetTagsRequest, GetTagsResponse } from '@aws-sdk/client-cost-explorer'
import { AwsError, validation } from '../core/errors.js'
import { operation, type Call } from '../core/operation.js'
import { page } from '../core/paging.js'
import { passes } from './filter.js'
import { costOf } from './ledger.js'
import type { Units } from './money.js'
import { parseRange } from './usage.js'

const MOST = 1000

export const tagOperations = {
  GetTags: operation('ce:GetTags', getTags, ({ region }) => `arn:aws:ce:us-east-1:${region.accountId}:/GetTags`)
}

/** The keys of what cost something in the period, or the values of one key; '' is what lacks it. */
function getTags (call: Call<GetTagsRequest>): GetTagsResponse {
  const { NextPageToken: token, MaxResults: size, ...query } = call.input
  if (size !== undefined && !query.SortBy?.length) throw validation('MaxResults can only be used with SortBy.')
  const found = [...costByName(call)].filter(([name, units]) => units !== 0 && name.includes(query.SearchString ?? ''))
    .sort(([a, x], [b, y]) => orderOf(query, x - y) || (a < b ? -1 : 1)).map(([name]) => name)
  const { items, nextToken } = page(found, JSON.stringify(query), { size, token }, {
    fallback: MOST, max: MOST, error: (message) => refusal(token, message)
  })
  return {
    Tags: items,
    ReturnSize: items.length,
    TotalSize: found.length,
    ...(nextToken ? { NextPageToken: nextToken } : {})
  }
}

function costByName ({ input: { TimePeriod, TagKey, Filter }, account, now }: Call<GetTagsRequest>) {
  const period = parseRange(TimePeriod, now)
  const found = new Map<string, Units>()
  for (const line of account.costs.lines.filter((one) => passes(Filter, one, account))) {
    const units = costOf(account.costs, line, period, 'UnblendedCost', now)
    for (const name of TagKey === undefined ? Object.keys(line.tags) : [line.tags[TagKey] ?? '']) {
      found.set(name, (found.get(name) ?? 0) + units)
    }
  }
  return found
}

/** By cost where that is asked for, else by name. */
function orderOf ({ SortBy: [by] = [] }: GetTagsRequest, difference: Units): number {
  return by === undefined ? 0 : by.SortOrder === 'DESCENDING' ? -difference : difference
}

function refusal (token: string | undefined, message: string): AwsError {
  return token === undefined ? validation(message) : new AwsError('InvalidNextTokenException', message)
}
