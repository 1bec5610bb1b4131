import type { Token } from './report-tokens.js'

/** What a result has: its numbers, and all of its text, in lower case. */
export interface Facts { numbers: number[], text: string }

/** The parts of dates, times, ids and addresses are no figures. */
const noFigures = new RegExp('\\d{4}-\\d{2}-\\d{2}(T[\\d:.]+(Z|[+-]\\d{2}:?\\d{2})?)?|' +
  '\\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\\b|\\b\\d{1,3}(\\.\\d{1,3}){3}\\b', 'gi')

/** No part of a version or of a name. */
const figure = /(?<![\w.])-?\d+(?:\.\d+)?(?!\d|\.\d|[a-z_-]+\d)/gi

const numbersIn = (text: string): number[] =>
  [...text.replace(noFigures, ' ').matchAll(figure)].map(([number]) => Number(number))

const walk = (value: unknown, numbers: number[], texts: string[]): void => {
  if (typeof value === 'number') {
    numbers.push(value)
    texts.push(String(value))
  } else if (typeof value === 'string') {
    numbers.push(...numbersIn(value.replace(/(?<=\d),(?=\d{3})/g, '')))
    texts.push(value)
  } else if (Array.isArray(value)) {
    numbers.push(value.length)
    for (const item of value) walk(item, numbers, texts)
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, item] of Object.entries(value)) {
      texts.push(key)
      walk(item, numbers, texts)
    }
  } else texts.push(String(value))
}

/** @returns the numbers and texts anywhere in a result, and how long its lists are */
export const factsIn = (result: unknown): Facts => {
  const facts: { numbers: number[], texts: string[] } = { numbers: [], texts: [] }
  walk(result, facts.numbers, facts.texts)
  return { numbers: [...new Set(facts.numbers)], text: facts.texts.join('\n').toLowerCase() }
}

/**
 * By how much a number of a result may be larger than the same in the unit that is shown. Never the other way: each 1
 * would be a 1,024.
 */
const factors: Record<string, number[]> = {
  k: [1e3],
  m: [1e6, 60, 60_000],
  b: [1e9],
  bn: [1e9],
  kb: [1e3, 2 ** 10],
  kib: [2 ** 10],
  mb: [1e3, 1e6, 2 ** 10, 2 ** 20],
  mib: [2 ** 10, 2 ** 20],
  gb: [1e3, 1e9, 2 ** 10, 2 ** 30],
  gib: [2 ** 10, 2 ** 30],
  tb: [1e3, 1e12, 2 ** 10, 2 ** 40],
  tib: [2 ** 10, 2 ** 40],
  s: [1_000],
  sec: [1_000],
  min: [60, 60_000],
  h: [60, 3_600, 3_600_000],
  d: [24, 86_400, 86_400_000],
  '%': [1 / 100]
}

const factorsOf = (unit: string): number[] => [1, ...factors[unit] ?? []]

/** Whether one number, rounded to the digits of the other, is the other. A sign may be a word of the sentence. */
const rounds = (exact: number, shown: number, decimals: number): boolean =>
  Math.abs(Math.abs(exact) - Math.abs(shown)) <= 0.5 * 10 ** -decimals + 1e-9

const hasNumber = ({ numbers }: Facts, { value, decimals, unit }: Extract<Token, { kind: 'number' }>): boolean =>
  factorsOf(unit).some((factor) => numbers.some((number) => factor === 1 && Number.isInteger(number)
    // A whole number is exact: nothing rounds to it but a fraction.
    ? Math.abs(number) === Math.abs(value)
    : rounds(number / factor, value, decimals)))

const isPart = (char: string | undefined): boolean => char !== undefined && /[a-z0-9_-]/.test(char)

/** Whether the text has the name, and not as a part of a longer one: `web` is not in `web-canary`. */
const hasName = ({ text }: Facts, name: string): boolean => {
  const wanted = name.toLowerCase()
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1)) {
    if (!isPart(text[at - 1]) && !isPart(text[at + wanted.length])) return true
  }
  return false
}

/** @returns whether a result has the number or the name */
export const isIn = (facts: Facts, token: Token): boolean => token.kind === 'name'
  ? hasName(facts, token.text)
  : hasNumber(facts, token)

/** @returns whether the token is the share or the change, in percent, of two numbers that were found */
export const isPercentOf = (token: Token, found: readonly Token[]): boolean => {
  if (token.kind !== 'number' || token.unit !== '%') return false
  const values = found.flatMap((one) => one.kind === 'number' ? one.value : [])
  return values.some((a) => values.some((b) => b !== 0 && a !== b &&
    (rounds(100 * a / b, token.value, token.decimals) || rounds(100 * (a - b) / b, token.value, token.decimals))))
}
