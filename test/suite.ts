import { readdirSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join, relative } from 'node:path'
import t from 'tap'
import { makeTemplate } from './template.js'

/**
 * The suite: every test file in a Node of its own. tap's runner would instrument each of them, and each server that
 * they start, for a coverage that nobody asks for: half of the suite's time.
 *
 * An argument is a part of the paths to run: `npm test -- --test-arg=routes/content`.
 */
const root = import.meta.dirname
const asked = process.argv[2] ?? ''
const kind = /\.(browser|chaos)\.js$/.exec(asked)?.[0] ?? '.test.js'
const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith(kind) && `/${file}`.includes(asked)).sort()

const hour = 3_600_000
t.setTimeout(6 * hour)
const isLong = kind === '.chaos.js' && process.env.CHAOS !== 'short'
// Long chaos brings its own load. More than two at a time, and a test's own waits are too short on a small machine.
t.jobs = isLong ? 1 : Math.min(2, availableParallelism())
const timeout = isLong ? 2 * hour : hour / 6

const server = process.env.TEST_DATABASE_URL
// Of the instances that start at once, one shall have migrations to do.
const template = server === undefined || kind === '.chaos.js' ? undefined : await makeTemplate(server)
if (template !== undefined) t.teardown(template.drop)

/** `env` sets NODE_OPTIONS back to the caller's: tap adds its hooks to what it spawns. */
const plain = [`NODE_OPTIONS=${process.env.NODE_OPTIONS ?? ''}`, `TAP_TIMEOUT=${timeout / 1000}`,
  `TEST_DATABASE_TEMPLATE=${template?.name ?? 'template1'}`, process.execPath]
t.ok(files.length > 0, `${files.length} files`)
for (const file of files) {
  const path = join(root, file)
  t.spawn('env', [...plain, path], { buffered: t.jobs > 1, timeout }, relative(process.cwd(), path))
}
