import { pumpsOf, type Pump } from './pump-texts.js'

export interface Expression { source: string, flags: string }

/** A text on which an expression takes more than a fixed time a character. */
export interface Slow extends Pump { ratio: number }

const textOf = ({ before, middle, after }: Pump, length: number): string =>
  before + middle.repeat(Math.ceil(length / middle.length)) + after

/**
 * @returns ms of the processor, whatever else the machine does meanwhile, of an expression that is used as its flags say:
 * once, or for everything that it finds
 */
const timeOf = (pattern: RegExp, text: string): number => {
  pattern.lastIndex = 0
  const start = process.cpuUsage()
  if (pattern.global) text.replace(pattern, '')
  else pattern.test(text)
  const { user, system } = process.cpuUsage(start)
  return (user + system) / 1000
}

const best = (pattern: RegExp, text: string): number =>
  Math.min(...Array.from({ length: 3 }, () => timeOf(pattern, text)))

/** Characters at which an expression is looked at; the first ones are so few that exponential growth ends. */
const lengths = [16, 20, 24, 28, 40, 200, 1_200, 6_000]
/** What no text of less than a hundred characters takes, unless each more of them doubles it. */
const exponentialMs = 5
/** What a linear one does not take, unless it reads each character tens of times. */
const suspiciousMs = (length: number): number => 0.3 + length * 0.0003

/** Four times the text takes a linear expression four times as long, a quadratic one sixteen times. */
const allowedRatio = 10
const shortestMs = 0.4

const ratioOf = (pattern: RegExp, pump: Pump, length: number): number => {
  let n = length
  while (best(pattern, textOf(pump, n)) < shortestMs && n < 400_000) n *= 2
  const [once, twice, fourTimes] = [n, 2 * n, 4 * n].map((size) => best(pattern, textOf(pump, size)))
  // Both steps: a single one may be a pause of the machine.
  return Math.min((fourTimes ?? 0) / (once ?? 1), ((twice ?? 0) / (once ?? 1)) ** 2)
}

const slowOn = (pattern: RegExp, pump: Pump): Slow | undefined => {
  for (const length of lengths) {
    if (timeOf(pattern, textOf(pump, length)) < suspiciousMs(length)) continue
    const ms = best(pattern, textOf(pump, length))
    if (ms < suspiciousMs(length)) continue
    if (length < 100 && ms > exponentialMs) return { ...pump, ratio: Infinity }
    if (length < 100) continue
    const ratio = ratioOf(pattern, pump, length / 4)
    if (ratio > allowedRatio && ratioOf(pattern, pump, length / 4) > allowedRatio) return { ...pump, ratio }
  }
  return undefined
}

/** @returns a text of which four times the length takes the expression far more than four times as long */
export const slowTextOf = ({ source, flags }: Expression): Slow | undefined => {
  const pattern = new RegExp(source, flags)
  for (const pump of pumpsOf(source, flags)) {
    // On a machine that does much else a first look may be wrong, not each of four.
    const slow = slowOn(pattern, pump)
    if (slow && [1, 2, 3].every(() => slowOn(pattern, pump))) return slow
  }
  return undefined
}
