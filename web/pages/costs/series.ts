import type { Schemas } from '../../api/client'

type Report = Schemas['CostReport']

/** Distinct in both themes and with most forms of color blindness (Okabe and Ito); the last is for the rest. */
export const colors = ['#0072b2', '#e69f00', '#009e73', '#cc79a7', '#56b4e9', '#d55e00', '#8c8f94'] as const

export interface Series { name: string, color: string, values: number[] }

export const nameOf = (keys: readonly string[]): string => keys.join(' · ') || 'other'

/** @returns the daily costs of the most expensive services, and of all others together */
export const seriesOf = (report: Report): Series[] => {
  const named = report.by_group.slice(0, colors.length - 1).map(({ keys }) => nameOf(keys))
  const amount = (period: Schemas['CostPeriod'], wanted: (name: string) => boolean) => period.groups
    .filter(({ keys }) => wanted(nameOf(keys))).reduce((sum, group) => sum + Number(group.amount), 0)
  const series = named.map((name, index) => ({
    name,
    color: colors[index] ?? colors[6],
    values: report.periods.map((period) => amount(period, (one) => one === name))
  }))
  const rest = report.periods.map((period) => amount(period, (one) => !named.includes(one)))
  return rest.some((value) => value > 0) ? [...series, { name: 'All others', color: colors[6], values: rest }] : series
}
