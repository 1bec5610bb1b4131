import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { InjectOptions } from 'fastify'
import { build } from '../app.js'
import { readConfig } from '../plugins/config.js'
import { watchAnswers } from './declared-answers.js'
import { runForProcess, share } from './left-behind.js'
import { root, type Test } from './tap.js'
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

/** Builds a whole application for one test file, with settings of its own, and closes it at its end. */
export const buildApp = async (t: AppTest, overrides: Record<string, string> = {}) => {
  stayAlive(t)
  const { app, check } = await start(t, overrides)
  check(t, app)
  return app
}

const start = async (t: Teardown, overrides: Record<string, string>) => {
  const environment = await makeEnvironment(t, overrides)
  const { logger, check } = watchAnswers()
  const app = await build(readConfig(environment), process.env.TEST_LOG ? { level: process.env.TEST_LOG } : logger)
  t.teardown(() => app.close())
  await app.ready()
  return { app, check }
}

export type App = Awaited<ReturnType<typeof buildApp>>

type Shared = Awaited<ReturnType<typeof start>>
/** The applications of this process: one with plain settings, and one that does no work in the background. */
const applications = new Map<string, Promise<Shared>>()

const resetSandboxes = async ({ app }: Shared): Promise<void> => {
  await Promise.all(Object.values(app.sandbox.control).map(async (url) => {
    const answer = await fetch(`${url}/reset`, { method: 'POST' })
    if (!answer.ok) throw new Error(`${url}/reset answered ${answer.status}`)
  }))
}

const openWorkspace = async (app: App) => {
  const payload = { name: 'Test', admin: { name: 'Admin' } }
  const made = await app.inject({ method: 'POST', url: '/account/workspaces', headers: asAdmin, payload })
  const { workspace, link } = made.json()
  const token = new URL(link.url).hash.replace('#token=', '')
  const entered = await app.inject({ method: 'POST', url: '/account/sign-in', payload: { token } })
  const cookie = String(entered.headers['set-cookie']).split(';')[0] ?? ''
  const headers = { cookie, 'sec-fetch-site': 'same-origin' }
  const me = await app.inject({ url: '/account/me', headers })
  return { home: { workspace_id: String(workspace.id), admin_id: String(me.json().user.id) }, headers }
}

/**
 * A workspace of its own for one test file, in the application that all files of the process share: no file sees
 * another's rows. `asAdmin` is the admin of this workspace, `home` is this workspace; the sandboxes are as new.
 */
export const workspace = async (t: AppTest, settings: { WORKER?: 'false' } = {}): Promise<App> => {
  stayAlive(t)
  const key = JSON.stringify(settings)
  const isFirst = !applications.has(key)
  const shared = applications.get(key) ?? share(() => start(root, settings))
  applications.set(key, shared)
  const { app, check } = await shared
  if (!isFirst) await resetSandboxes(await shared)
  const { home, headers } = await openWorkspace(app)
  const inject = (options: InjectOptions | string) => runForProcess(() => {
    const given = typeof options === 'string' ? undefined : options.headers
    if (typeof options === 'string' || given?.authorization !== asAdmin.authorization) return app.inject(options)
    const { authorization: _, ...others } = given
    return app.inject({ ...options, headers: { ...others, ...headers } })
  })
  check(t, app)
  // It has all of the application, by its prototype.
  return Object.create(app, { home: { value: home }, inject: { value: inject } }) as App
}
