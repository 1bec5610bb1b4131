import type { Money } from '../../../../schemas/common.js'
import type { CostGroup } from '../../../../schemas/cloud/costs.js'

const digits = 18
const scale = 10n ** BigInt(digits)

/** @param text a decimal number such as -12.3450001, also with an exponent, as AWS writes very small ones */
export const toUnits = (text: string): bigint => {
  const match = /^(-?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/.exec(text.trim())
  if (!match) throw new Error(`${text} is not a decimal number`)
  const [, sign, whole = '', fraction = '', exponent = '0'] = match
  const shift = digits - fraction.length + Number(exponent)
  const unsigned = BigInt(`${whole}${fraction}` || '0')
  const units = shift >= 0 ? unsigned * 10n ** BigInt(shift) : unsigned / 10n ** BigInt(-shift)
  return sign ? -units : units
}

export const fromUnits = (units: bigint): string => {
  const positive = units < 0n ? -units : units
  const fraction = String(positive % scale).padStart(digits, '0').replace(/(?<!0)0+$/, '')
  return `${units < 0n ? '-' : ''}${positive / scale}${fraction ? `.${fraction}` : ''}`
}

/** Adds without floating point: cents must add up. */
export const sum = (amounts: string[]): string =>
  fromUnits(amounts.reduce((total, amount) => total + toUnits(amount), 0n))

/** @returns the share with four digits, 0 of nothing */
export const share = (part: string, whole: string): string => {
  const total = toUnits(whole)
  return total === 0n ? '0' : fromUnits((toUnits(part) * 10_000n / total) * (scale / 10_000n))
}

/** Adds up by a key, in the order of the first appearance. */
export const sumBy = <T>(items: T[], keyOf: (item: T) => string, amountOf: (item: T) => string):
Map<string, string> => {
  const totals = new Map<string, bigint>()
  for (const item of items) totals.set(keyOf(item), (totals.get(keyOf(item)) ?? 0n) + toUnits(amountOf(item)))
  return new Map([...totals].map(([key, units]) => [key, fromUnits(units)]))
}

/** @returns a sum for each currency: two are never added */
export const moneyOf = <T extends { currency: string }>(items: T[], amountOf: (item: T) => string): Money[] =>
  [...sumBy(items, ({ currency }) => currency, amountOf)].map(([currency, amount]) => ({ amount, currency }))

/** @returns one group for all of the same keys and currency. The key is JSON: a group's name may hold any character */
export const sumGroups = (groups: CostGroup[]): CostGroup[] => {
  const nameOf = ({ keys, currency }: CostGroup) => JSON.stringify([keys, currency])
  const credits = sumBy(groups, nameOf, (group) => group.credits)
  return [...sumBy(groups, nameOf, ({ amount }) => amount)].map(([name, amount]) => {
    const [keys, currency]: [string[], string] = JSON.parse(name)
    return { keys, amount, credits: credits.get(name) ?? '0', currency }
  })
}
