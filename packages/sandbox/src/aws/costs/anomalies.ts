import type {
  Anomaly, GetAnomaliesRequest, GetAnomaliesResponse, TotalImpactFilter
} from '@aws-sdk/client-cost-explorer'
import { validation } from '../core/errors.js'
import { operation, type Call } from '../core/operation.js'
import { page } from '../core/paging.js'
import { dayOf, formatDay, parseDay } from './days.js'
import { expectedCost } from './ledger.js'
import type { CostSpike } from './state.js'

const KEPT_DAYS = 90

export const anomalyOperations = {
  GetAnomalies: operation('ce:GetAnomalies', getAnomalies,
    ({ region }) => `arn:aws:ce::${region.accountId}:anomalymonitor/*`)
}

function getAnomalies (call: Call<GetAnomaliesRequest>): GetAnomaliesResponse {
  const { input, account, now } = call
  const start = parseDay(input.DateInterval?.StartDate)
  const end = input.DateInterval?.EndDate === undefined ? Infinity : parseDay(input.DateInterval.EndDate)
  if (end < start) throw validation('StartDate should be before EndDate.')
  const { day } = dayOf(now)
  const found = account.costs.anomalies
    .filter((one) => one.from <= KEPT_DAYS && day - one.from <= end && day - one.to >= start)
    .map((one) => view(call, one))
    .filter((one) => !input.MonitorArn || one.MonitorArn === input.MonitorArn)
    .filter((one) => isAbove(one.Impact?.TotalImpact ?? 0, input.TotalImpact))
  const request = { size: input.MaxResults, token: input.NextPageToken }
  const { items, nextToken } = page(found, 'anomalies', request, { fallback: 100, max: 100, error: validation })
  return { Anomalies: items, ...(nextToken ? { NextPageToken: nextToken } : {}) }
}

function view ({ account, now }: Call<GetAnomaliesRequest>, spike: CostSpike): Anomaly {
  const { day } = dayOf(now)
  const days = spike.from - spike.to + 1
  const impact = Math.round(spike.perDay * days * 100) / 100
  const line = account.costs.lines.find((one) => one.service === spike.service && one.usageType === spike.usageType)
  const expected = line ? expectedCost(line, { from: day - spike.from, to: day - spike.to + 1 }) / 1e8 : 0
  return {
    AnomalyId: spike.id,
    AnomalyStartDate: `${formatDay(day - spike.from)}T00:00:00Z`,
    AnomalyEndDate: `${formatDay(day - spike.to)}T00:00:00Z`,
    DimensionValue: spike.service,
    RootCauses: [{
      Service: spike.service,
      Region: spike.region,
      LinkedAccount: account.id,
      LinkedAccountName: account.name,
      UsageType: spike.usageType
    }],
    AnomalyScore: { MaxScore: spike.score, CurrentScore: spike.score / 2 },
    Impact: {
      MaxImpact: spike.perDay,
      TotalImpact: impact,
      TotalActualSpend: Math.round((impact + expected) * 100) / 100,
      TotalExpectedSpend: Math.round(expected * 100) / 100,
      TotalImpactPercentage: expected > 0 ? Math.round(impact / expected * 100) : undefined
    },
    MonitorArn: `arn:aws:ce::${account.id}:anomalymonitor/5d1c9c7e-0b3a-4d5a-9a2b-1f0c6f0a7e11`
  }
}

function isAbove (impact: number, filter: TotalImpactFilter | undefined): boolean {
  if (!filter) return true
  const { NumericOperator: operator, StartValue: start = 0, EndValue: end = Infinity } = filter
  switch (operator) {
    case 'GREATER_THAN': return impact > start
    case 'GREATER_THAN_OR_EQUAL': return impact >= start
    case 'LESS_THAN': return impact < start
    case 'LESS_THAN_OR_EQUAL': return impact <= start
    case 'BETWEEN': return impact >= start && impact <= end
    default: return impact === start
  }
}
