import { fork } from 'node:child_process'
import { existsSync, readdirSync, statfsSync } from 'node:fs'
import { availableParallelism, tmpdir, totalmem } from 'node:os'
import { join } from 'node:path'
import { chromiumFile } from './browser/chromium.js'
import { makeTemplate } from './template.js'
import { readTimings, updateTimings } from './timings.js'
import type { Result } from './worker.js'

/**
 * Runs a suite, longest files first, in a few processes that each take one file after another (worker.ts).
 *
 *     node dist/test/run.js [quick|deep|browser|chaos] [parts of paths, any of them] [!parts, none of them]
 *
 * A file belongs to the suite that its name ends in; `.test.ts` is quick. tap's own runner gives each file a process,
 * which would read, compile and start a Steward anew: three quarters of what a small file costs.
 */
const suites = { quick: '.test.js', deep: '.deep.js', browser: '.browser.js', chaos: '.chaos.js' }
type Suite = keyof typeof suites
const isSuite = (name: string): name is Suite => Object.hasOwn(suites, name)
const [first = 'quick', ...others] = process.argv.slice(2)
const suite = isSuite(first) ? first : 'quick'
const named = isSuite(first) ? others : [first, ...others]
const parts = named.filter((part) => !part.startsWith('!'))
const leftOut = named.filter((part) => part.startsWith('!')).map((part) => part.slice(1))

const isLong = suite === 'chaos' && process.env.CHAOS !== 'short'
/** A file takes seconds. */
const limitMs = isLong ? 7_200_000 : 600_000
/** Memory of a process, at most: one that has grown so large takes no other file. */
const mostMb = 1_500
const cores = availableParallelism()
/** Files wait for much beside the processor. Long chaos brings a load of its own, and a browser draws. */
const usual = { quick: cores + 1, deep: cores * 2, browser: 2, chaos: isLong ? 1 : 2 }[suite]
const jobs = Math.max(1, Math.min(Number(process.env.TEST_JOBS ?? usual), Math.floor(totalmem() / 2 ** 20 / mostMb)))
/** What these try is the process itself: its memory, its end, its handlers, the statements that it has prepared. */
const isAlone = (file: string): boolean =>
  /^(attacks|chaos|db|deploy|examples|upgrade|lib\/llm\/clouds|lib\/processes|packages)\//.test(file) &&
  !file.endsWith('doors.test.js')

const stop = (line: string): never => {
  process.stderr.write(`${line}\n`)
  process.exit(1)
}

interface File { file: string, path: string }
const dist = import.meta.dirname
const packages = join(dist, '..', 'packages')

/** @returns the files below test/, those of packages as packages/<name>/test/… */
const list = (end: string): File[] => [dist, packages].filter((folder) => existsSync(folder)).flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(end) && !name.includes('node_modules')).sort()
    .map((name) => ({ file: folder === dist ? name : `packages/${name}`, path: join(folder, name) })))

const files = list(suites[suite])
  .filter(({ file }) => parts.length === 0 || parts.some((part) => file.includes(part)))
  .filter(({ file }) => !leftOut.some((part) => file.includes(part)))
if (files.length === 0) stop(`No file of the suite ${suite} has ${named.join(' or ')} in its path`)
if (suite === 'browser' && chromiumFile === undefined) {
  stop('No Chromium here: install Debian\'s package chromium, or name one in CHROMIUM')
}

/** Embedded databases are written to die: they lie in memory where that is large. */
const memory = '/dev/shm'
const freeMb = (folder: string): number => {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize / 2 ** 20
}
const isRoomy = suite !== 'chaos' && existsSync(memory) && freeMb(memory) > 4_096
const TMPDIR = process.env.TMPDIR ?? (isRoomy ? memory : tmpdir())
if (freeMb(TMPDIR) < 512) stop(`Less than 512 MB are free in ${TMPDIR}: free some, or set TMPDIR`)

const server = suite === 'chaos' ? undefined : process.env.TEST_DATABASE_URL
/** Migrations run once; each database of a test is a copy. */
const template = server === undefined
  ? undefined
  : await makeTemplate(server).catch((error: Error) => stop(`No PostgreSQL at TEST_DATABASE_URL: ${error.message}`))
const env = { ...process.env, TMPDIR, TEST_DATABASE_TEMPLATE: template?.name ?? 'template1' }

const timings = readTimings()
/** The first files of a process pay for its start, so the first quick ones stay those that work most. */
const costOf = ({ file }: File): number => timings[file]?.[suite === 'quick' ? 'cpu_ms' : 'ms'] ?? Infinity
const waiting = files.toSorted((a, b) => costOf(b) - costOf(a))
const results: Result[] = []
const began = Date.now()

const report = (result: Result, output: string): void => {
  results.push(result)
  const { file, fail, left } = result
  if (process.env.TEST_VERBOSE) process.stdout.write(`${JSON.stringify(result)}\n`)
  if (fail === 0 && left.length === 0) return
  const failing = output.split('\n').filter((line) => !/^ *(ok \d|\d+\.\.\d|# Subtest)/.test(line)).join('\n')
  const at = Math.max(0, failing.search(/^ *not ok /m))
  process.stdout.write(`\nFAILED ${file}\n${fail > 0 ? failing.slice(at, at + 20_000) : ''}\n`)
  for (const what of left) process.stdout.write(`  ${file} left behind: ${what}\n`)
}

/** Each application leaves much behind that is young: with room for it, collecting costs a third less. */
const execArgv = ['--enable-source-maps', '--max-semi-space-size=64']

/** Starts a process that runs the files that it is given, one after another. */
const startWorker = () => {
  const child = fork(join(dist, 'worker.js'), { env, execArgv, silent: true })
  const ended = new Promise<string>((resolve) => child.once('exit', (code, signal) => resolve(String(signal ?? code))))
  let receive = (_result: Result): void => undefined
  const ready = new Promise<void>((resolve) => {
    // tap sends messages of its own to whoever has started it.
    child.on('message', (message: Result | { ready?: true }) => {
      if ('file' in message) receive(message)
      else if (message.ready) resolve()
    })
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => { output += String(chunk) })
  /** @returns whether the process can take another file */
  const run = async (next: File): Promise<boolean> => {
    output = ''
    const result = new Promise<Result>((resolve) => { receive = resolve })
    void ready.then(() => child.send(next, () => undefined))
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<string>((resolve) => {
      timer = setTimeout(resolve, limitMs, `no end after ${limitMs / 1000} s`)
    })
    const end = await Promise.race([result, ended.then((how) => `an ended process (${how})`), late])
    clearTimeout(timer)
    if (typeof end === 'string') {
      child.kill('SIGKILL')
      report({ file: next.file, pass: 0, fail: 1, skip: 0, ms: limitMs, cpuMs: 0, rssMb: 0, isFirst: false, left: [end] }, output)
    } else report(end, output)
    return typeof end !== 'string' && end.rssMb < mostMb
  }
  const end = async (): Promise<void> => {
    if (child.connected) child.send('end', () => undefined)
    const timer = setTimeout(() => child.kill('SIGKILL'), 20_000)
    await ended
    clearTimeout(timer)
  }
  return { run, end }
}

await Promise.all(Array.from({ length: Math.min(jobs, files.length) }, async () => {
  let shared: ReturnType<typeof startWorker> | undefined
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    const worker = isAlone(next.file) ? startWorker() : shared ??= startWorker()
    if (await worker.run(next) && worker === shared) continue
    if (worker === shared) shared = undefined
    await worker.end()
  }
  await shared?.end()
}))
await template?.drop()

const isWhole = named.length === 0 && (suite === 'deep' || template === undefined)
const known = new Set(Object.values(suites).flatMap(list).map(({ file }) => file))
const grown = isWhole ? updateTimings(timings, results, suite === 'quick', known) : []
for (const line of grown) process.stdout.write(`FAILED ${line}\n`)

const sum = (what: 'pass' | 'fail' | 'skip' | 'cpuMs') => results.reduce((total, result) => total + result[what], 0)
const seconds = (ms: number): number => Math.round(ms / 1000)
process.stdout.write(`\n${suite}: ${results.length} files, ${sum('pass') + sum('fail')} assertions, ` +
  `${seconds(Date.now() - began)} s (${seconds(sum('cpuMs'))} s of CPU)\n`)
for (const other of Object.keys(suites).filter((name) => isSuite(name) && name !== suite)) {
  const more = isSuite(other) ? list(suites[other]) : []
  const cost = more.reduce((total, { file }) => total + (timings[file]?.cpu_ms ?? 0), 0)
  process.stdout.write(`${other === 'quick' ? 'npm test' : `npm run test:${other}`} has ${more.length} files more` +
    `${cost > 0 ? ` (${seconds(cost)} s of CPU)` : ''}\n`)
}
const failed = sum('fail') + results.filter(({ left, fail }) => left.length > 0 && fail === 0).length + grown.length
const skipped = sum('skip')
process.stdout.write(`${sum('pass')} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}\n`)
process.exit(failed > 0 ? 1 : 0)
