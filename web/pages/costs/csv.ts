import type { Part } from './breakdown'

/** A name from AWS that begins like a formula would run as one in a spreadsheet. */
const asText = (text: string): string => /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
const cell = (text: string): string => `"${asText(text).replaceAll('"', '""')}"`

/** Without the noise of floating point, and never as 1e-7. */
const amountOf = (value: number): string => value.toFixed(8).replace(/\.?0+$/, '')

/** @returns a line for each day and name that cost something */
export const csvOf = (days: readonly string[], parts: readonly Part[]): string => {
  const lines = parts.flatMap(({ name, currency, values, once }) => days.flatMap((day, index) => {
    const amount = values[index] ?? 0
    return amount === 0 ? [] : [[day, cell(name), once ? 'once' : 'daily', amountOf(amount), currency].join(',')]
  }))
  return ['day,name,charged,amount,currency', ...lines.sort(), ''].join('\r\n')
}
