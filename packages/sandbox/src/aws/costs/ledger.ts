import { chance } from '../core/ids.js'
import { dayOf, isWeekend, monthStart, parseDay, type Day, type Period } from './days.js'
import { toUnits, type Units } from './money.js'
import type { CostBook, CostLine, CostSpike } from './state.js'

export const MONEY_METRICS = ['UnblendedCost', 'BlendedCost', 'AmortizedCost', 'NetUnblendedCost', 'NetAmortizedCost']
export const QUANTITY_METRICS = ['UsageQuantity', 'NormalizedUsageAmount']

/** Growth counts from this day, so that a day costs the same at every read. */
const ANCHOR = parseDay('2026-01-01')
const NET = 0.97

/** The cost of a line in a period, by a metric. Future days cost nothing yet; today is partial. */
export function costOf (book: CostBook, line: CostLine, period: Period, metric: string, now: number): Units {
  const today = dayOf(now)
  let units = 0
  for (let day = period.from; day < period.to && day <= today.day; day++) {
    const whole = dayCost(line, day, metric) + spikeCost(book, line, day, today.day)
    units += toUnits(day === today.day && !line.monthly ? whole * today.passed : whole)
  }
  return metric.startsWith('Net') ? Math.round(units * NET) : units
}

/** The expected cost of a line, without noise. */
export function expectedCost (line: CostLine, period: Period): Units {
  let units = 0
  for (let day = period.from; day < period.to; day++) units += toUnits(trend(line, day) * weekFactor(line, day))
  return units
}

/** Units of use behind an amount. */
export function quantityOf (line: CostLine, units: Units): Units {
  return line.recordType === 'Usage' ? Math.round(units * line.unitsPerDollar) : 0
}

function dayCost (line: CostLine, day: Day, metric: string): number {
  const amortized = metric.endsWith('AmortizedCost')
  if (line.monthly && !amortized) return day === monthStart(day) ? trend(line, day) * daysOfMonth(day) : 0
  if (line.monthly) return trend(line, day)
  const noise = 0.92 + 0.16 * chance(`${line.service}/${line.usageType}/${line.region}/${day}`)
  return trend(line, day) * weekFactor(line, day) * noise
}

function spikeCost (book: CostBook, line: CostLine, day: Day, today: Day): number {
  return book.anomalies.filter((one) => isOf(one, line) && today - day <= one.from && today - day >= one.to)
    .reduce((sum, one) => sum + one.perDay, 0)
}

function isOf (spike: CostSpike, line: CostLine): boolean {
  return spike.service === line.service && spike.usageType === line.usageType && spike.region === line.region
}

function trend (line: CostLine, day: Day): number {
  return line.perDay * Math.exp(line.growth * (day - ANCHOR) / 365)
}

function weekFactor (line: CostLine, day: Day): number {
  return isWeekend(day) ? line.weekend : 1
}

function daysOfMonth (day: Day): number {
  return monthStart(day, 1) - monthStart(day)
}
