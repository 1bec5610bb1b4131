import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { heldOut, readCorpus } from '../corpus/documents.js'
import { scoreOf, totalsOf, type Score } from '../corpus/score.js'
import { median, number } from '../lib/numbers.js'
import type { SpecFigures } from '../spec-engine.js'
import type { Aim, Scenario } from './scenario.js'

const run = promisify(execFile)
const script = fileURLToPath(new URL('../spec-engine.js', import.meta.url))

/** Characters of input; the checks must take no more than in proportion. */
const sizes = [50_000, 100_000, 200_000]
const limits = { compileMs: 600, rssMib: 150, growth: 1.5 }

/** What the corpus is held to; the suite has a floor of its own. */
const shares = { visible: 0.995, precision: 0.8 }

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`

/** A row of the corpus for each genre, and one for the documents that nothing is tuned on. */
const corpusRows = (scores: readonly Score[]): string[] => {
  const genres = [...new Set(scores.map(({ name }) => name.split('/')[0] ?? ''))]
  const row = (title: string, part: readonly Score[]): string => {
    const { recall, visible, precision, questions } = totalsOf(part)
    return `${title}: ${part.length} documents, taken or undecided ${percent(visible)}, taken ${percent(recall)}, ` +
      `precision ${percent(precision)}, questions ${percent(questions)}`
  }
  return [...genres.map((genre) => row(genre, scores.filter(({ name }) => name.startsWith(`${genre}/`)))),
    row('held out', scores.filter(({ name }) => heldOut.has(name))), row('all', scores)]
}

const corpusAims = (scores: readonly Score[]): Aim[] => {
  const { visible, precision } = totalsOf(scores)
  const least = (what: string, limit: number, share: number): Aim =>
    ({ what, limit: `at least ${percent(limit)}`, measured: percent(share), met: share >= limit })
  return [least('demands of the corpus that are taken, or visible as undecided', shares.visible, visible),
    least('requirements of the corpus that are marked as such', shares.precision, precision)]
}

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
    const scores = (await readCorpus()).map(scoreOf)
    for (const characters of sizes) figures.push(await measure(characters, options.rounds))
    return {
      columns: ['characters', 'requirements', 'template engine, ms', 'checks, ms', 'memory, MiB'],
      rows: figures.map(({ characters, requirements, compileMs, checkMs, maxRss }) =>
        [characters, requirements, compileMs, checkMs, maxRss / 1024].map((figure) => number(figure))),
      aims: [...aims(figures), ...corpusAims(scores)],
      notes: corpusRows(scores)
    }
  }
}
