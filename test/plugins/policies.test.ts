import { sql } from 'kysely'
import t from '../tap.js'
import { build } from '../../app.js'
import { readConfig } from '../../plugins/config.js'
import { asAdmin, buildApp, makeEnvironment, type App } from '../app.js'
import { until } from '../chat.js'
import { enablePolicies } from '../policies.js'

/** Two instances on one database. An embedded one has a single process, which hears itself. */
const environment = await makeEnvironment(t)
const isShared = environment.DATABASE_URL !== undefined
const skip = isShared ? false : 'the embedded database serves one process'

const start = async (): Promise<App> => {
  const app = await build(readConfig(environment), false)
  t.teardown(() => app.close())
  await app.ready()
  return app as App
}

const [one, other] = isShared ? [await start(), await start()] : await buildApp(t).then((app) => [app, app] as const)

let number = 0
const write = async (app: App) => {
  const payload = { name: `Project ${++number}` }
  return (await app.inject({ method: 'POST', url: '/account/projects', headers: asAdmin, payload })).statusCode
}
const forbid = (reason: string) => enablePolicies(one, `@reason("${reason}") forbid (principal, action, resource);`)

t.test('an instance obeys what another enabled with its next request', { skip }, async (t) => {
  t.equal(await write(other), 201, 'it has read that there is none')
  await forbid('Now')
  await until(async () => await write(other) === 403)
  await enablePolicies(one, '')
  await until(async () => await write(other) === 201)
})

t.test('a write is judged though the notification of the policies was missed', { skip }, async (t) => {
  await forbid('Missed')
  await enablePolicies(one, '')
  await until(async () => await write(other) === 201)
  // As the instance that enabled it commits it, but without a notification.
  await sql`insert into account_policy_version
    (workspace_id, version, text, examples, groups, digest, replay, enabled_by)
    select workspace_id, version + 2, text, examples, groups, digest, replay, enabled_by from account_policy_version
    where version = (select max(version) - 1 from account_policy_version)`.execute(one.db)
  t.equal(await write(other), 403)
  t.equal(await write(one), 403)
})
