import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { median, number } from '../lib/numbers.js'
import type { SpecFigures } from '../spec-engine.js'
import type { Aim, Scenario } from './scenario.js'

const run = promisify(execFile)
const script = fileURLToPath(new URL('../spec-engine.js', import.meta.url))

/** Characters of input; the checks must take no more than in proportion. */
const sizes = [50_000, 100_000, 200_000]
const limits = { compileMs: 2_000, rssMib: 300, growth: 1.5 }

/** Each size in a process of its own, so that memory is that of one generation and nothing is warm. */
const measure = async (characters: number, rounds: number): Promise<SpecFigures> => {
  const all: SpecFigures[] = []
  for (let round = 0; round < rounds; round++) {
    const { stdout } = await run(process.execPath, [script, String(characters)])
    all.push(JSON.parse(stdout) as SpecFigures)
  }
  const of = (pick: (figures: SpecFigures) => number) => median(all.map(pick))
  return {
    characters,
    compileMs: of(({ compileMs }) => compileMs),
    checkMs: of(({ checkMs }) => checkMs),
    requirements: of(({ requirements }) => requirements),
    maxRss: of(({ maxRss }) => maxRss)
  }
}

const aim = (what: string, limit: number, unit: string, measured: number): Aim =>
  ({ what, limit: `at most ${number(limit)} ${unit}`, measured: `${number(measured)} ${unit}`, met: measured <= limit })

const perCharacter = ({ checkMs, characters }: SpecFigures): number => checkMs / characters

const aims = (figures: SpecFigures[]): Aim[] => {
  const [first, last] = [figures[0], figures.at(-1)]
  if (!first || !last) return []
  return [
    aim('template engine on 200,000 characters', limits.compileMs, 'ms', last.compileMs),
    aim('memory of its process', limits.rssMib, 'MiB', last.maxRss / 1024),
    aim('time of the checks for a character, 200,000 to 50,000', limits.growth, 'times',
      perCharacter(last) / perCharacter(first))
  ]
}

export const specs: Scenario = {
  key: 'specs',
  title: 'A spec by the template engine, and its checks, each size in a process of its own',
  run: async ({ options }) => {
    const figures: SpecFigures[] = []
    for (const characters of sizes) figures.push(await measure(characters, options.rounds))
    return {
      columns: ['characters', 'requirements', 'template engine, ms', 'checks, ms', 'memory, MiB'],
      rows: figures.map(({ characters, requirements, compileMs, checkMs, maxRss }) =>
        [characters, requirements, compileMs, checkMs, maxRss / 1024].map((figure) => number(figure))),
      aims: aims(figures),
      notes: []
    }
  }
}
