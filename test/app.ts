import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { InjectOptions } from 'fastify'
import { build } from '../app.js'
import { linkSandbox } from '../plugins/codehost-grants.js'
import { readConfig } from '../plugins/config.js'
import { seedAccount } from '../routes/cloud/lib/accounts/setup-account.js'
import { watchAnswers } from './declared-answers.js'
import { runForProcess, setSharing, share } from './left-behind.js'
import { root, type Test } from './tap.js'
import { runOnServer } from './template.js'

process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED = 'true'

export const adminToken = 'test-admin-token-0123456789-abcdefghijklmnop'
/** The admin of the workspace in which the test file that runs works. */
export const asAdmin: Record<string, string> = {}
const asInstallation = { authorization: `Bearer ${adminToken}` }
const signInAs = (headers: Record<string, string>): void => {
  for (const name of Object.keys(asAdmin)) Reflect.deleteProperty(asAdmin, name)
  Object.assign(asAdmin, headers)
}
signInAs(asInstallation)

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

export const start = async (t: Teardown, overrides: Record<string, string>) => {
  const environment = await makeEnvironment(t, overrides)
  const { logger, check } = watchAnswers()
  const app = await build(readConfig(environment), process.env.TEST_LOG ? { level: process.env.TEST_LOG } : logger)
  t.teardown(() => app.close())
  await app.ready()
  return { app, check }
}

export type App = Awaited<ReturnType<typeof buildApp>>

export type Shared = Awaited<ReturnType<typeof start>>
/** The applications of this process: one with plain settings, and one that does no work in the background. */
const applications = new Map<string, Promise<Shared>>()

export const resetSandboxes = async (app: App): Promise<void> => {
  await Promise.all(Object.values(app.sandbox.control).map(async (url) => {
    const answer = await fetch(`${url}/reset`, { method: 'POST' })
    if (!answer.ok) throw new Error(`${url}/reset answered ${answer.status}`)
  }))
}

/** @returns what `home` says of a new workspace, made as an installation's admin does, and its admin's browser session */
const makeWorkspace = async (app: App) => {
  const post = async (url: string, payload: object, headers: Record<string, string>) => {
    const answer = await app.inject({ method: 'POST', url, headers, payload })
    if (answer.statusCode >= 300) throw new Error(answer.payload)
    return answer
  }
  const admin = { name: 'Administrator' }
  const { workspace, link } = (await post('/account/workspaces', { name: 'Test', admin }, asInstallation)).json()
  const entered = await post('/account/sign-in', { token: new URL(link.url).hash.replace('#token=', '') }, {})
  const cookie = String(entered.headers['set-cookie']).split(';')[0] ?? ''
  const headers = { cookie, 'sec-fetch-site': 'same-origin' }
  const { user } = (await app.inject({ url: '/account/me', headers })).json()
  return { home: { workspace_id: String(workspace.id), admin_id: String(user.id) }, headers }
}

/** @returns the application of this process with these settings, which it starts once */
const shareApp = async (settings: Record<string, string>): Promise<Shared> => {
  const key = JSON.stringify(settings)
  const known = applications.get(key)
  if (known) {
    await resetSandboxes((await known).app)
    return known
  }
  const started = share(() => start(root, settings))
  applications.set(key, started)
  return started
}

/**
 * A workspace of its own for one test file, in the application that all files of the process share: no file sees
 * another's rows. Until the file ends, `asAdmin` is its admin, and `home` is the workspace. The sandboxes are as new.
 */
export const workspace = async (t: AppTest, settings: { WORKER?: 'false' } = {}): Promise<App> =>
  workspaceIn(t, await shareApp(settings))

/** A workspace in an application that others have, too. */
export const workspaceIn = async (t: AppTest, { app, check }: Shared): Promise<App> => {
  stayAlive(t)
  setSharing()
  const { home, headers } = await runForProcess(() => makeWorkspace(app))
  signInAs(headers)
  t.teardown(() => signInAs(asInstallation))
  await seedAccount({ db: app.db, sandbox: app.sandbox, home })
  await linkSandbox({ db: app.db, sandbox: app.sandbox, codehostGrants: app.codehostGrants, home })
  check(t, app)
  // What a file asks the application for is not the file's. It has all of the application, by its prototype.
  const inject = (options: InjectOptions) => runForProcess(() => app.inject(options))
  return Object.create(app, { home: { value: home }, inject: { value: inject } }) as App
}
