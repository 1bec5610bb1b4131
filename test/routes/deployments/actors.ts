import type { Test } from '../../tap.js'
import { claimBuild } from '../../../db/deployments/leases.js'
import { makeBuildRunner, type BuildRunner } from '../../../routes/deployments/lib/builds/build-runner.js'
import { advanceDeployment } from '../infrastructure/advance.js'
import { asAdmin, type App } from '../../app.js'
import { steer } from '../infrastructure/sandbox.js'

export const registry = '123456789012.dkr.ecr.eu-west-1.amazonaws.com'
export const missing = '01900000-0000-7000-8000-000000000000'

/** Commits of main of larkspur/web, the newest first. */
const commits = [
  '79987598baab81b5d5557c4a2df52597c942eb7c', 'a238eef51678b9e566c472f568b9715043932e2e',
  'ab237bbaaa9ce61bbbcf08bc781c10f1b3a87b39', '95c998b0e4595be40e6ec4d4771060ef1097632c',
  '90c79df24c035c51f5ac082c2aff230625a8b84f', 'e10f5effdaf5fe91254c14fc093b57e166b7d73d',
  'd07a9590d567a45d2f3d3905c48bb5de197e0b35', 'eee99fa94bc3ae8f84eac0935510efa9bc95ec62',
  '9bc14b72d8d232506b95f4dedcb30c812cbeee93', '845bc3fe0e58042b7293dc28eeac46df69d82971',
  '5f5be0287c0c40fca3b083858a800f3a160af205', '3af516061f433cfb9d9d09c8d27f39f599514929',
  'ff9258324e06dca26117397057511d30f0500c1d', 'a66a06002d7c130e61711f21727a6c08affd41fc',
  '60ea42cdbbd9e2e48b3e0cfc35a6657fa1f6734e', '44f79e83db946b27001e11cc384ba6deb9fd34cb'
]
/** @returns a commit that the code host has, another one for each hexadecimal digit */
export const sha = (digit: string): string => commits[parseInt(digit, 16)] ?? ''
/** @returns what has the form of a commit and is none */
export const madeUp = (digit: string): string => digit.repeat(40)

type Headers = Record<string, string>

/** What tests do with apps and builds, as the person of the headers. */
export const actor = (app: App, headers: Headers = asAdmin) => {
  const call = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, payload?: object, more: Headers = {}) =>
    app.inject({ method, url: `/deployments${path}`, headers: { ...headers, ...more }, ...(payload && { payload }) })
  return {
    call,
    get: (path: string) => call('GET', path),
    post: (path: string, payload?: object, more?: Headers) => call('POST', path, payload, more),
    patch: (path: string, payload: object, more?: Headers) => call('PATCH', path, payload, more),
    remove: (path: string, more?: Headers) => call('DELETE', path, undefined, more),
    json: async (path: string) => (await call('GET', path)).json()
  }
}

export const accountOf = async (app: App): Promise<string> =>
  (await app.inject({ url: '/cloud/accounts', headers: asAdmin })).json().items[0].id

/** The body of an app that deploys the service `web` of the sandbox. */
export const input = (name: string, more: object = {}) => ({
  name,
  source: { repo: 'larkspur/web', default_branch: 'main', path: '' },
  target: { kind: 'ecs_service', service_id: 'prod/web', container: 'web' },
  image: `${registry}/web:{sha}`,
  ...more
})

export const makeApp = async (app: App, name: string, more: object = {}) => {
  const target = { kind: 'ecs_service', service_id: `${await accountOf(app)}~eu-west-1~prod~web`, container: 'web' }
  const made = await actor(app).post('/apps', input(name, { target, ...more }))
  if (made.statusCode !== 201) throw new Error(made.payload)
  return made.json()
}

export type Row = Record<string, unknown> & { id: string, number: number, status: string }

/** A process that takes whatever is claimable. */
export const claimant = (owner: string) =>
  ({ owner, leaseMs: 30_000, holds: [], takes: { unowned: true, lapsed: true } })

/** What tests do with the rows of builds, beside the API and as a worker. */
export const builder = (app: App) => ({
  rowOf: (id: string) => app.db.selectFrom('deployment_build').selectAll().where('id', '=', id)
    .executeTakeFirstOrThrow(),
  change: (id: string, values: object) => app.db.updateTable('deployment_build').set(values)
    .where('id', '=', id).execute(),
  /** Takes the next build of the app as some worker, without carrying it out. */
  claim: (appId: string, owner = '01900000-0000-4000-8000-000000000001') =>
    claimBuild(app.db, { workspace_id: app.home.workspace_id, app_id: appId }, claimant(owner)),
  start: async (appId: string, payload: object = {}): Promise<Row> =>
    (await actor(app).post(`/apps/${appId}/deploy`, payload)).json()
})

const runners = new WeakMap<App, BuildRunner>()

/** The runner of a test: it claims only when the test says so. */
export const runnerOf = (app: App): BuildRunner => {
  const held = runners.get(app) ?? makeBuildRunner(app)
  runners.set(app, held)
  return held
}

export const claimNext = (app: App, appId: string) =>
  runnerOf(app).claim({ workspace_id: app.home.workspace_id, app_id: appId })

/** Starts a build and takes it, as a worker that found it would. */
export const run = async (app: App, appId: string, payload: object = {}, headers?: Headers) => {
  const answer = await actor(app, headers).post(`/apps/${appId}/deploy`, payload)
  const taken = await claimNext(app, appId)
  return { answer, build: answer.json(), taken, path: `/apps/${appId}/builds/${answer.json().id}` }
}

/** Lets the sandbox's rollouts go on, and polls every live deployment. @returns how to stop that */
export const keepRolling = (t: Pick<Test, 'teardown'>, app: App, stepMs = 5_000) => {
  const sandbox = steer(app)
  const stop = new AbortController()
  const roll = async () => {
    while (!stop.signal.aborted) {
      const live = await app.db.selectFrom('service_deployment').select(['workspace_id', 'id'])
        .where('finished_at', 'is', null).execute()
      for (const row of live) await advanceDeployment(app, row.workspace_id, row.id)
      if (live.length > 0) await sandbox.advance(stepMs)
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
  const rolling = roll()
  const end = async () => {
    stop.abort()
    await rolling
  }
  t.teardown(end)
  return end
}

/** Waits until the answer fits. */
export const until = async <T>(read: () => Promise<T>, fits: (value: T) => boolean, ms = 20_000): Promise<T> => {
  for (const end = Date.now() + ms; ;) {
    const value = await read()
    if (fits(value)) return value
    if (Date.now() > end) throw new Error(`It stayed ${JSON.stringify(value)}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
