import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { ContentFigures } from '../content-engine.js'
import { number } from '../lib/numbers.js'
import type { Aim, Report, Scenario } from './scenario.js'

const run = promisify(execFile)
const script = fileURLToPath(new URL('../content-engine.js', import.meta.url))

const limits = { checkMs: 150, growth: 1.25, correlation: 0.85, linear: 1.5 }

const growth = ({ lists }: ContentFigures): number =>
  Math.max(...lists.map(({ fewMs, manyMs }) => manyMs / fewMs))

/** Time per character of the longest text to that of a sixteenth of it. */
const linearity = ({ bySize }: ContentFigures): number => {
  const [first, last] = [bySize[0], bySize.at(-1)]
  return first && last ? (last.ms / last.chars) / (first.ms / first.chars) : NaN
}

const correlation = ({ calibration }: ContentFigures): number =>
  calibration.find(({ brand }) => brand === 'all')?.correlation ?? NaN

const aims = (figures: ContentFigures): Aim[] => [
  {
    what: `brand check of an article of ${number(figures.words)} words`,
    limit: `at most ${limits.checkMs} ms`,
    measured: `${number(figures.checkMs)} ms`,
    met: figures.checkMs <= limits.checkMs
  },
  {
    what: 'brand check of 200,000 characters to 12,500, for each character',
    limit: `at most ×${limits.linear}`,
    measured: `×${number(linearity(figures))}`,
    met: linearity(figures) <= limits.linear
  },
  {
    what: 'scores of 60 passages to the marks of an editor, rank correlation',
    limit: `at least ${limits.correlation}`,
    measured: correlation(figures).toFixed(3),
    met: correlation(figures) >= limits.correlation
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
      `which the server's process works ${number(figures.checkCpuMs)} ms`,
    'brand check by length: ' + figures.bySize
      .map(({ chars, ms }) => `${number(chars)} characters ${number(ms)} ms`).join(', '),
    `rank correlation of scores and marks: ${figures.calibration
      .map(({ brand, passages, correlation }) => `${brand} (${passages}) ${correlation.toFixed(3)}`).join(', ')}`
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
