import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { ContentFigures } from '../content-engine.js'
import { number } from '../lib/numbers.js'
import type { Aim, Report, Scenario } from './scenario.js'

const run = promisify(execFile)
const script = fileURLToPath(new URL('../content-engine.js', import.meta.url))

const limits = { checkMs: 150, growth: 1.25 }

const growth = ({ lists }: ContentFigures): number =>
  Math.max(...lists.map(({ fewMs, manyMs }) => manyMs / fewMs))

const aims = (figures: ContentFigures): Aim[] => [
  {
    what: `brand check of an article of ${number(figures.words)} words`,
    limit: `at most ${limits.checkMs} ms`,
    measured: `${number(figures.checkMs)} ms`,
    met: figures.checkMs <= limits.checkMs
  },
  {
    what: 'a page of 10,000 records to one of 200, the slowest filter',
    limit: `at most ×${limits.growth}`,
    measured: `×${number(growth(figures))}`,
    met: growth(figures) <= limits.growth
  }
]

const reportOn = (figures: ContentFigures): Report => ({
  columns: ['what', '200 records, ms', '10,000 records, ms'],
  rows: figures.lists.map(({ filter, fewMs, manyMs }) =>
    [`first 20, filter ${filter}`, number(fewMs), number(manyMs)]),
  aims: aims(figures),
  notes: [
    `brand check: the first of a process ${number(figures.firstCheckMs)} ms, then ${number(figures.checkMs)} ms, of ` +
      `which the processor works ${number(figures.checkCpuMs)} ms`
  ]
})

export const content: Scenario = {
  key: 'content',
  title: 'The brand check of an article, and lists of records, by their routes on the embedded database',
  run: async () => {
    const { stdout } = await run(process.execPath, [script], { maxBuffer: 1_048_576 })
    return reportOn(JSON.parse(stdout) as ContentFigures)
  }
}
