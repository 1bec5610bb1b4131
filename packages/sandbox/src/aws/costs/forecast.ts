import type { ForecastResult, GetCostForecastRequest, GetCostForecastResponse } from '@aws-sdk/client-cost-explorer'
import { AwsError, validation } from '../core/errors.js'
import { operation, type Call } from '../core/operation.js'
import { dayOf, formatDay, monthStart, parseDay, split, type Period } from './days.js'
import { passes } from './filter.js'
import { expectedCost } from './ledger.js'
import { toAmount } from './money.js'

const METRICS = ['UNBLENDED_COST', 'BLENDED_COST', 'AMORTIZED_COST', 'NET_UNBLENDED_COST', 'NET_AMORTIZED_COST']

export const forecastOperations = {
  GetCostForecast: operation(
    'ce:GetCostForecast',
    getCostForecast,
    ({ region }) => `arn:aws:ce:us-east-1:${region.accountId}:/GetCostForecast`
  )
}

function getCostForecast (call: Call<GetCostForecastRequest>): GetCostForecastResponse {
  const { input, account } = call
  const range = parsePeriod(input, call.now)
  if (!account.costs.forecastable) {
    throw new AwsError('DataUnavailableException', 'Insufficient amount of historical data to generate forecast.')
  }
  const lines = account.costs.lines.filter((line) => passes(input.Filter, line, account))
  const periods = split(range, input.Granularity === 'DAILY' ? 'DAILY' : 'MONTHLY')
  const means = periods.map((period) => lines.reduce((sum, line) => sum + expectedCost(line, period), 0))
  return {
    Total: { Amount: toAmount(means.reduce((sum, one) => sum + one, 0)), Unit: 'USD' },
    ForecastResultsByTime: periods.map((period, index) => forecast(period, means[index] ?? 0, input))
  }
}

function parsePeriod ({ TimePeriod, Granularity, Metric }: GetCostForecastRequest, now: number): Period {
  const from = parseDay(TimePeriod?.Start)
  const to = parseDay(TimePeriod?.End)
  const { day } = dayOf(now)
  if (from < day) throw validation('Start date should be today or in the future.')
  if (from >= to) throw validation('Start date (and hour) should be before end date (and hour)')
  if (!Metric || !METRICS.includes(Metric)) throw validation(`Invalid metric: ${Metric ?? 'null'}`)
  if (Granularity !== 'DAILY' && Granularity !== 'MONTHLY') throw validation('Granularity must be DAILY or MONTHLY.')
  if (to > monthStart(day, Granularity === 'DAILY' ? 4 : 19)) {
    throw validation(`End date is too far in the future for ${Granularity} granularity.`)
  }
  return { from, to }
}

function forecast (
  period: Period,
  mean: number,
  { PredictionIntervalLevel: level }: GetCostForecastRequest
): ForecastResult {
  const width = (mean * (level ?? 80)) / 800
  return {
    TimePeriod: { Start: formatDay(period.from), End: formatDay(period.to) },
    MeanValue: toAmount(mean),
    ...(level === undefined
      ? {}
      : {
          PredictionIntervalLowerBound: toAmount(Math.round(mean - width)),
          PredictionIntervalUpperBound: toAmount(Math.round(mean + width))
        })
  }
}
