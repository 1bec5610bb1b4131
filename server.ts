import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import closeWithGrace from 'close-with-grace'
import type { FastifyInstance } from 'fastify'
import { build } from './app.js'
import { distribute } from './db/schema-tables.js'
import { openServer } from './db/index.js'
import { describeConfig, readConfig } from './plugins/config.js'
import { verifyAudit } from './lib/record/verify-file.js'
import { logTo } from './lib/telemetry/log-stream.js'
import { forgetSecrets } from './routes/account/forget-command.js'
import { recoverPasskeys } from './routes/account/recover-command.js'
import { printSetupLink } from './routes/account/setup-command.js'

const grace = 30_000

/** What Node and libraries warn of becomes lines of the log: their own text would stand between them, in no JSON. */
const logWarnings = ({ log }: Pick<FastifyInstance, 'log'>) => {
  process.removeAllListeners('warning')
  process.on('warning', ({ name, message }) => log.warn({ warning: name }, message))
}

/** Connections that wait to be accepted, as far as the kernel lets them: one more would try again a second later. */
const backlog = 4_096

const start = async () => {
  const config = readConfig(process.env)
  const app = await build(config, { level: config.LOG_LEVEL, stream: logTo(1) })
  logWarnings(app)
  closeWithGrace({ delay: grace, logger: app.log }, async ({ err }) => {
    if (err) app.log.fatal({ reason: err.message }, 'stopping after an error')
    await app.close()
  })
  await app.listen({ host: config.HOST, port: config.PORT, backlog })
}

/** Builds the application on an empty folder, prints its OpenAPI document and forgets it; nothing listens. */
const printOpenapi = async () => {
  const folder = mkdtempSync(join(tmpdir(), 'steward-openapi-'))
  try {
    const app = await build(readConfig({ DATA_DIR: folder, SANDBOX: 'off' }))
    await app.ready()
    process.stdout.write(app.swagger({ yaml: true }))
    await app.close()
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Rows that are there are moved, however long that takes. */
const dayMs = 86_400_000

/** Divides the tables among the workers of a Citus, past a pooler; again after an upgrade that brings tables. */
const distributeTables = async () => {
  const { DATABASE_URL, DATABASE_DIRECT_URL = DATABASE_URL } = readConfig(process.env)
  if (DATABASE_DIRECT_URL === undefined) throw new Error('The embedded database is one: set DATABASE_URL to distribute')
  const database = openServer(DATABASE_DIRECT_URL, { max: 1, onError: () => undefined, queryTimeoutMs: dayMs })
  try {
    const names = await distribute(database.db)
    process.stdout.write(`distributed: ${names.join(', ') || 'nothing new'}\n`)
  } finally {
    await database.close()
  }
}

/**
 * `setup-link` prints a new one-time link, for whoever missed the first or lost every session; `recover-passkeys` gives
 * a new start to whoever lost the last passkey; `forget-secrets` gives up what a lost key encrypted; `distribute`
 * divides the tables of a Citus among its workers; `verify-audit` checks an export of the record; `configuration` and
 * `openapi` print what there is to set, and the API.
 */
const commands: Record<string, (args: readonly string[]) => Promise<void>> = {
  'setup-link': () => printSetupLink(readConfig(process.env)),
  'recover-passkeys': (args) => recoverPasskeys(readConfig(process.env), args),
  'forget-secrets': () => forgetSecrets(readConfig(process.env)),
  distribute: distributeTables,
  configuration: async () => { process.stdout.write(describeConfig()) },
  'verify-audit': async (args) => { process.exitCode = await verifyAudit(args) ? 0 : 1 },
  openapi: printOpenapi
}

/** @throws Error for a command that does not exist: a misspelt one shall not start a server */
const run = async (command: string | undefined, args: readonly string[]): Promise<void> => {
  if (command === undefined) return start()
  const found = commands[command]
  if (!found) {
    throw new Error(`There is no command ${command}; a server has ${Object.keys(commands).join(', ')}, ` +
      'and `steward help` lists those of a terminal')
  }
  await found(args)
}

run(process.argv[2], process.argv.slice(3)).catch((error: unknown) => {
  process.stderr.write(`steward: ${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
})
