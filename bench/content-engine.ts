import { sql } from 'kysely'
import { rankCorrelation, readCalibration } from './lib/calibration.js'
import { median } from './lib/numbers.js'
import { startSteward, timesOf } from './lib/steward.js'

/** What one process measured, in milliseconds at the median, by the routes that people call. */
export interface ContentFigures {
  words: number
  firstCheckMs: number
  checkMs: number
  /** Of the processor in the server's process; the check itself works in a process of its own. */
  checkCpuMs: number
  /** ms of a check by the length of the text. */
  bySize: { chars: number, ms: number }[]
  /** How well the scores order the passages of bench/calibration, by brand and together: Spearman's correlation. */
  calibration: { brand: string, passages: number, correlation: number }[]
  lists: { filter: string, fewMs: number, manyMs: number }[]
}

/** One in ten waits for review: enough for a whole page of them. */
const few = 200
const many = 10_000
const rounds = 40

const nouns = ['door', 'lamp', 'bell', 'code', 'courier', 'parcel', 'screen', 'battery', 'hinge', 'customer']

/** An article of so many words: sections, lists, links, and sentences that each are another. */
const article = (words: number): string => {
  const parts: string[] = []
  for (let at = 0, count = 0; count < words; at++) {
    const [noun, other] = [nouns[at % 10], nouns[Math.floor(at / 10) % 10]]
    const paragraph = at % 15 === 0
      ? `\n## What the ${noun} does for the ${other}\n`
      : `The ${noun} of room ${at} was shown to a ${other} before it opened, and people leave with what they came for.`
    parts.push(paragraph, ...(at % 5 === 0 ? [''] : []))
    count += paragraph.split(/\s+/).filter(Boolean).length
  }
  return parts.join('\n')
}

const { app, call, stop } = await startSteward()

const medianOf = async (times: number, work: () => unknown): Promise<number> => median(await timesOf(times, work))

const { id: project } = await call('POST', '/account/projects', { name: 'Bench' })
await call('PUT', `/content/brands/${project}`, {
  terms: {
    banned: Array.from({ length: 200 }, (_, at) => ({ term: `buzzword${at}`, replacement: 'word' })),
    preferred: Array.from({ length: 100 }, (_, at) => ({ use: `term${at}`, instead_of: [`phrase${at}`] }))
  },
  style: { spelling: 'en-GB', inclusive: 'warn' }
})

/** Records beside each other, as the API would have made them; every tenth waits for its review. */
const seed = (from: number, to: number) => sql`
  insert into content (workspace_id, id, project_id, group_id, channel, locale, title, slug, engine, review_state,
    score, verdict, created_by)
  select ${app.home.workspace_id}::uuid, id, ${project}::uuid, id, case when n % 5 = 0 then 'docs' else 'blog' end,
    'en', 'Record ' || n, 'record-' || n, 'human', case when n % 10 = 0 then 'in_review' else 'draft' end, 100,
    'pass', ${app.home.admin_id}::uuid
  from (select n, gen_random_uuid() as id from generate_series(${from}::integer, ${to}::integer) n) made`
  .execute(app.db)

const ofProject = `project_id=${project}`
const filters = ['', ofProject, 'status=in_review', `${ofProject}&status=in_review`, 'channel=docs']

const measureLists = async (): Promise<number[]> => {
  const all: number[] = []
  for (const filter of filters) {
    const url = `/content?limit=20&${filter}`
    const ask = () => call('GET', url)
    await ask()
    all.push(await medianOf(rounds, ask))
  }
  return all
}

const text = article(2_000)
const check = () =>
  call('POST', '/content/checks', { project_id: project, channel: 'blog', title: 'Bench', body_markdown: text })
const firstCheckMs = await medianOf(1, check)
const checks = 15
const cpuBefore = process.cpuUsage()
const checkMs = await medianOf(checks, check)
const cpu = process.cpuUsage(cpuBefore)
const checkCpuMs = (cpu.user + cpu.system) / 1_000 / checks

const longest = article(40_000)
const bySize: ContentFigures['bySize'] = []
for (const chars of [12_500, 25_000, 50_000, 100_000, 200_000]) {
  const body_markdown = longest.slice(0, chars)
  const ms = await medianOf(3, () =>
    call('POST', '/content/checks', { project_id: project, channel: 'blog', title: 'Bench', body_markdown }))
  bySize.push({ chars, ms })
}

const marks: number[] = []
const scores: number[] = []
const calibration: ContentFigures['calibration'] = []
for (const { key, settings, passages } of readCalibration()) {
  const { id } = await call('POST', '/account/projects', { name: key })
  await call('PUT', `/content/brands/${id}`, settings)
  const own: number[] = []
  for (const { text: body_markdown } of passages) {
    const checked = { project_id: id, channel: 'blog', title: 'Text', body_markdown }
    own.push((await call('POST', '/content/checks', checked)).score)
  }
  const given = passages.map(({ mark }) => mark)
  calibration.push({ brand: key, passages: own.length, correlation: rankCorrelation(given, own) })
  marks.push(...given)
  scores.push(...own)
}
calibration.push({ brand: 'all', passages: marks.length, correlation: rankCorrelation(marks, scores) })

await seed(1, few)
const fewMs = await measureLists()
await seed(few + 1, many)
await sql`analyze content`.execute(app.db)
const manyMs = await measureLists()

await stop()

const names = ['none', 'project', 'status', 'project and status', 'channel']
const figures: ContentFigures = {
  words: text.split(/\s+/).filter((word) => /\w/.test(word)).length,
  firstCheckMs,
  checkMs,
  checkCpuMs,
  bySize,
  calibration,
  lists: names.map((filter, at) => ({ filter, fewMs: fewMs[at] ?? 0, manyMs: manyMs[at] ?? 0 }))
}
process.stdout.write(JSON.stringify(figures))
