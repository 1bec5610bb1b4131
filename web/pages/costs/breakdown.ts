import type { Schemas } from '../../api/client'
import type { View } from './view'

type Period = Schemas['CostPeriod']

/** Costs of one name in one currency, by day. */
export interface Part {
  name: string
  currency: string
  values: number[]
  sum: number
  /** Charged on single days, such as a tax or a fee for the month: it says nothing about a day's use. */
  once: boolean
}

const fewestDays = 10
const fee = /tax|fee|refund|upfront|support|out-of-cycle/i

/** At most on one day in ten; what has just begun is no single charge, unless its name says so. */
const isOnce = (values: readonly number[], kind: string): boolean => {
  const charged = values.flatMap((value, day) => value === 0 ? [] : [day])
  if (charged.length === 0 || charged.length > Math.max(1, values.length / 10)) return false
  const hasJustBegun = (charged[0] ?? 0) >= values.length - 2
  return fee.test(kind) || (values.length >= fewestDays && !hasJustBegun)
}

const add = (a: readonly number[], b: readonly number[]): number[] => a.map((value, day) => value + (b[day] ?? 0))
const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0)

/** @returns the days' costs of everything that AWS keeps apart */
const valuesOf = (periods: readonly Period[], keep: View['keep']) => {
  const found = new Map<string, { keys: string[], currency: string, values: number[] }>()
  periods.forEach(({ groups }, day) => {
    for (const { keys, amount, currency } of groups.filter(keep)) {
      const id = JSON.stringify([keys, currency])
      const entry = found.get(id) ?? { keys, currency, values: periods.map(() => 0) }
      entry.values[day] = Number(amount)
      found.set(id, entry)
    }
  })
  return [...found.values()]
}

/** @returns what is shown of the costs, dearest first; what is charged once is a part of its own */
export const breakDown = (periods: readonly Period[], { keep, nameOf }: Pick<View, 'keep' | 'nameOf'>): Part[] => {
  const parts = new Map<string, Part>()
  for (const { keys, currency, values } of valuesOf(periods, keep)) {
    const once = isOnce(values, keys.join(' '))
    const name = nameOf({ keys })
    const id = JSON.stringify([name, currency, once])
    const all = add(values, parts.get(id)?.values ?? [])
    parts.set(id, { name, currency, values: all, sum: sumOf(all), once })
  }
  return [...parts.values()].sort((a, b) => b.sum - a.sum)
}

/** @returns the credits and refunds in what is shown, by currency, without those of nothing */
export const creditsOf = (periods: readonly Period[], { keep }: Pick<View, 'keep'>): Schemas['Money'][] => {
  const sums = new Map<string, number>()
  for (const { currency, credits } of periods.flatMap(({ groups }) => groups).filter(keep)) {
    sums.set(currency, (sums.get(currency) ?? 0) + Number(credits))
  }
  return [...sums].flatMap(([currency, amount]) => amount === 0 ? [] : [{ currency, amount: String(amount) }])
}

/** @returns the sums by currency; two currencies are never added */
export const totalsOf = (parts: readonly Part[]): Schemas['Money'][] => {
  const sums = new Map<string, number>()
  for (const { currency, sum } of parts) sums.set(currency, (sums.get(currency) ?? 0) + sum)
  return [...sums].map(([currency, amount]) => ({ currency, amount: String(amount) }))
}
