import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, statfsSync } from 'node:fs'
import { availableParallelism, tmpdir, totalmem } from 'node:os'
import { join, relative } from 'node:path'
import t from 'tap'
import { chromiumFile } from './browser/chromium.js'
import { hasHistory, hasLastRelease, lastRelease } from './last-release.js'
import { runsOnce } from './once.js'
import { makeTemplate } from './template.js'

/**
 * The suite. tap's runner would instrument each test file, and each server that it starts, for a coverage that no
 * command uses: half of the suite's time. What runs is the bundle of it, several files in one Node where they only talk
 * to a Steward: three quarters of what a small file costs alone is that Node reads and compiles a Steward.
 *
 * Arguments are parts of the paths to run, all of them: `npm test -- --test-arg=routes/content`.
 */
const root = import.meta.dirname
const asked = process.argv.slice(2)
const kinds = ['.browser.js', '.chaos.js', '.test.js'] as const
const kind = kinds.find((kind) => asked[0]?.endsWith(kind)) ?? '.test.js'
const ofLastRelease = /^(upgrade\/|chaos\/upgrade\.)/
const isWhole = process.env.TEST_ONCE !== 'false' || asked.length > 0
const under = (folder: string): string[] => existsSync(join(root, folder))
  ? readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file))
  : []
/** The tests of a package lie beside its sources. */
const files = ['.', ...readdirSync('packages').map((name) => `../packages/${name}/test`)].flatMap(under)
  .filter((file) => file.endsWith(kind) && asked.every((part) => `/${file}`.includes(part)))
  .filter((file) => hasLastRelease || !ofLastRelease.test(file))
  .filter((file) => isWhole || !runsOnce(file)).sort()

execFileSync(process.execPath, ['test/bundle.mjs'], { stdio: 'inherit' })

const bundle = join(root, '..', 'test-bundle')

/** @returns a test file's entry in the bundle, or the file itself when its subject are the modules */
const entryOf = (file: string): string => {
  const bundled = join(bundle, file.replace('../', '').replaceAll('/', '.'))
  return existsSync(bundled) ? bundled : join(root, file)
}

const hour = 3_600_000
t.setTimeout(6 * hour)
const isLong = kind === '.chaos.js' && process.env.CHAOS !== 'short'
// Long chaos brings its own load, short chaos waits for real clocks, and the browser's tests draw.
const most = isLong ? 1 : 2
// Ordinary tests wait for much but the processor nearly half of their time. A file takes up to a gigabyte.
const waiting = Math.min(2 * availableParallelism() + 1, Math.floor(totalmem() / 2 ** 30))
t.jobs = kind === '.test.js' ? Math.max(1, waiting) : most
/** A file takes a minute where it is alone, ten times that on a busy machine; none that hangs takes CI's time. */
const timeout = isLong ? 2 * hour : hour / 6

const server = process.env.TEST_DATABASE_URL
// Of the instances that start at once, one shall have migrations to do.
const template = server === undefined || kind === '.chaos.js' ? undefined : await makeTemplate(server)
if (template !== undefined) t.teardown(template.drop)

/** @returns where the tests' embedded databases lie: in memory where that is large, for they are written to die */
const temporary = (): string => {
  const memory = '/dev/shm'
  if (kind !== '.test.js' || process.env.TMPDIR !== undefined || !existsSync(memory)) return tmpdir()
  const { bavail, bsize } = statfsSync(memory)
  return bavail * bsize > 4 * 1024 ** 3 ? memory : tmpdir()
}

/** `env` sets NODE_OPTIONS back to the caller's: tap's runner, and its spawn, add hooks that cost as much as a test. */
const options = (process.env.NODE_OPTIONS ?? '').split(' ').filter((option) => !option.includes('/@tapjs/')).join(' ')
const plain = [`NODE_OPTIONS=${options}`, `TMPDIR=${temporary()}`,
  `TAP_TIMEOUT=${timeout / 1000}`, `TEST_DATABASE_TEMPLATE=${template?.name ?? 'template1'}`,
  `TEST_OPERATIONS=${join(bundle, 'operations.json')}`, process.execPath, '--enable-source-maps']
t.ok(files.length > 0, `${files.length} files`)
t.ok(hasLastRelease || !hasHistory, `lastRelease in package.json is a commit: ${lastRelease}`)
if (!isWhole) t.comment('without the files that run once, as TEST_ONCE says')
if (!hasLastRelease) t.comment('no history here: nothing is compared with the last release')

const nameOf = (file: string): string => relative(process.cwd(), join(root, file))
/**
 * What would begin later is left out, and named: CI on a slow machine ends in time and says what it did not try. A file
 * that is asked for by itself is run at any time: CI asks so whether a failure was an accident.
 */
const until = files.length === 1 ? Infinity : Number(process.env.TEST_UNTIL ?? Infinity) * 1000
const running = new Set<Promise<unknown>>()
const late: string[] = []
const run = async (name: string, entry: string, files: string[] = []): Promise<void> => {
  if (running.size >= t.jobs) await Promise.race(running)
  if (Date.now() > until) {
    late.push(name)
    return
  }
  const options = { buffered: t.jobs > 1, timeout: timeout * Math.max(1, files.length) }
  const done: Promise<unknown> = t.spawn('env', [...plain, entry, ...files], options, name)
    .finally(() => running.delete(done))
  running.add(done)
}

/** What these try is also the process: its memory, its end, its handlers, what it may read. */
const alone = /^(attacks|chaos|deploy|examples|upgrade|lib\/llm\/clouds|lib\/processes)\/|^browser\/.*\.test\.js$/
/** Three files of the browser share one; a file without it ends its process. */
const sizeOf = { '.browser.js': chromiumFile === undefined ? 1 : 3, '.chaos.js': 1, '.test.js': 8 }
const batchSize = sizeOf[kind]
for (const file of files.filter((file) => alone.test(file))) await run(nameOf(file), entryOf(file))
const batched = files.filter((file) => !alone.test(file))
const batches = Array.from({ length: Math.ceil(batched.length / batchSize) },
  (_, at) => batched.slice(at * batchSize, (at + 1) * batchSize))
/** Hundreds of conversations, one after the other: begun last, they would go on for minutes when all else has ended. */
const isSlow = ([first = '']: string[]): boolean => first.startsWith('sandbox/')
for (const batch of [...batches.filter(isSlow), ...batches.filter((batch) => !isSlow(batch))]) {
  const name = `${nameOf(batch[0] ?? '')} and the ${batch.length - 1} after it`
  await run(name, join(bundle, 'batch.js'), batch.map((file) => `${entryOf(file)}=${nameOf(file)}`))
}
if (late.length > 0) t.comment(`left out, the time was up: ${late.join('; ')}`)
