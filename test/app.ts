import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Test } from 'tap'
import { build } from '../app.js'
import { readConfig } from '../plugins/config.js'
import { watchAnswers } from './declared-answers.js'
import { runOnServer } from './template.js'

process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED = 'true'

export const adminToken = 'test-admin-token-0123456789-abcdefghijklmnop'
export const asAdmin = { authorization: `Bearer ${adminToken}` }

type Teardown = Pick<Test, 'teardown'>

/** What an application asks of the test that it is built for. */
export type AppTest = Pick<Test, 'teardown' | 'afterEach' | 'once'>

/** A folder, removed at the end of the test. An embedded database starts there from the image of an empty one. */
export const makeFolder = (t: Teardown): string => {
  const folder = mkdtempSync(join(tmpdir(), 'steward-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** A database of its own on the server that TEST_DATABASE_URL names; undefined = the embedded one. */
export const makeDatabase = async (t: Teardown): Promise<string | undefined> => {
  const server = process.env.TEST_DATABASE_URL
  if (!server) return undefined
  const name = `steward_test_${randomUUID().replaceAll('-', '')}`
  await runOnServer(server, `create database ${name} template ${process.env.TEST_DATABASE_TEMPLATE ?? 'template1'}`)
  t.teardown(() => runOnServer(server, `drop database if exists ${name} with (force)`))
  const url = new URL(server)
  url.pathname = `/${name}`
  return url.href
}

/** The environment of a Steward of its own: empty database, admin token, sandboxed providers. */
export const makeEnvironment = async (t: Teardown, overrides: Record<string, string> = {}) => {
  const url = await makeDatabase(t)
  return {
    DATA_DIR: makeFolder(t),
    ADMIN_TOKEN: adminToken,
    SECRET_KEY: 'test-secret-key-0123456789-abcdefghijklmnop',
    LOG_LEVEL: 'silent',
    PORT: '0',
    ...(url === undefined ? {} : { DATABASE_URL: url, DATABASE_POOL: '5' }),
    ...overrides
  }
}

/**
 * What WebAssembly compiles, and what the embedded database does, keeps no process alive: a file that prepares its
 * tests, with nothing else to wait for, would end before its first. The minute is for files that have none.
 */
const stayAlive = (t: Pick<Test, 'teardown' | 'once'>): void => {
  const timer = setTimeout(() => {}, 60_000)
  const stop = () => clearTimeout(timer)
  t.once('subtestAdd', stop)
  t.teardown(stop)
}

/** Builds the whole application for one test file and closes it at its end. */
export const buildApp = async (t: AppTest, overrides: Record<string, string> = {}) => {
  stayAlive(t)
  const environment = await makeEnvironment(t, overrides)
  const { logger, check } = watchAnswers(t)
  const app = await build(readConfig(environment), process.env.TEST_LOG ? { level: process.env.TEST_LOG } : logger)
  t.teardown(() => app.close())
  await app.ready()
  check(app)
  return app
}

export type App = Awaited<ReturnType<typeof buildApp>>
