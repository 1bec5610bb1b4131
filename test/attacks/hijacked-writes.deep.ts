import t, { type Test } from '../tap.js'
import type { ActingAws } from '../../lib/aws/account-clients.js'
import { buildApp } from '../app.js'
import { advanceDeployment } from '../routes/infrastructure/advance.js'
import { useRole } from '../routes/infrastructure/role-account.js'
import { steal, tryEverything } from './every-action.js'

const app = await buildApp(t, { WORKER: 'false' })
const { account, call, sandbox, service, lambda, journal } = await useRole(app)
const registry = '123456789012.dkr.ecr.eu-west-1.amazonaws.com'

interface Found { denied: number, others: [string, string][] }
const attacks: Found[] = []
const approvals: string[][] = []

/** From now on each session that a route opens for a write first tries everything else with what its client holds. */
const actingFor = app.aws.actingFor.bind(app.aws)
app.aws.actingFor = (actor) => {
  const acting = actingFor(actor)
  const session: ActingAws['session'] = (location, allowed, work) => acting.session(location, allowed, async (open) => {
    attacks.push(await tryEverything(await steal(await open('ecs')), approvals.shift() ?? []))
    return work(open)
  })
  const write: ActingAws['write'] = (name, location, allowed, send) =>
    session(location, allowed, async (open) => send(await open(name)))
  return { ...acting, session, write }
}

/** @returns what the attacks since then found: every one was denied */
const hijack = async (expected: string[][], work: () => Promise<unknown>) => {
  attacks.length = 0
  approvals.splice(0, approvals.length, ...expected)
  await work()
  return attacks
}
const isDenied = (t: Test, found: Found[], sessions: number) => {
  t.equal(found.length, sessions, 'sessions')
  for (const { denied, others } of found) {
    t.same(others, [], 'nothing else is allowed')
    t.ok(denied >= 40, `${denied} denied`)
  }
}

const deploy = async (name: string, body: object): Promise<string> =>
  (await call('POST', `${service(name)}/deploy`, body)).json().id
const advance = (id: string) => advanceDeployment(app, app.home.workspace_id, id)

t.test('a client that was given for a count may do nothing but set the count of that service', async (t) => {
  const found = await hijack([], async () => {
    const answer = await call('POST', `${service('web')}/scale`, { desired_count: 3, autoscaling: 'ignore' })
    t.match(answer.json(), { desired_count: 3, changed: true })
  })
  t.same(found.map(({ others }) => others), [[
    ['ecs:DescribeServices web', 'done'],
    ['application-autoscaling:DescribeScalableTargets', 'done'],
    ['ecs:UpdateService web', 'done']
  ]])
  t.ok((found[0]?.denied ?? 0) >= 45)
})

t.test('one for the bounds of autoscaling may change those, and the service that they are of', async (t) => {
  const reads = ['ecs:DescribeServices api', 'application-autoscaling:DescribeScalableTargets']
  const writes = ['application-autoscaling:RegisterScalableTarget api', 'ecs:UpdateService api']
  const found = await hijack([reads, [...reads, ...writes]], async () => {
    const answer = await call('POST', `${service('api')}/scale`, { desired_count: 40, autoscaling: 'adjust' })
    t.match(answer.json(), { desired_count: 40, autoscaling: { action: 'bounds_changed' } })
  })
  isDenied(t, found, 2)
})

t.test('one for a deployment registers one family with its own roles, or updates one service', async (t) => {
  const id = await deploy('web', { image: `${registry}/web:9-slow` })
  const found = await hijack([
    ['ecs:RegisterTaskDefinition web'], ['ecs:DescribeServices web', 'ecs:UpdateService web']
  ], () => advance(id))
  isDenied(t, found, 2)
  t.match((await call('GET', `${service('web')}/deployments/${id}`)).json(), { status: 'in_progress' })
  const stopped = await hijack([['ecs:DescribeServices web']], async () => {
    t.equal((await call('POST', `${service('web')}/deployments/${id}/cancel`)).statusCode, 202)
  })
  isDenied(t, stopped, 1)
  t.equal((await journal('StopServiceDeployment')).at(-1)?.session?.source_identity, app.home.admin_id)
})

t.test('one for a function runs that function, at the version that was named', async (t) => {
  const reads = ['lambda:GetFunction', 'lambda:GetFunctionConfiguration']
  const approved = [[...reads, 'lambda:InvokeFunction echo'], ['lambda:InvokeFunction order-webhook:live']]
  const found = await hijack(approved, async () => {
    t.match((await call('POST', `${lambda('echo')}/invoke`, { payload: 1 })).json(), { status: 'ok' })
    const aliased = await call('POST', `${lambda('order-webhook')}/invoke`, { payload: 1, qualifier: 'live' })
    t.match(aliased.json(), { status: 'ok' })
  })
  isDenied(t, found, 2)
})

t.test('one for the code of a function changes that code', async (t) => {
  const found = await hijack([['lambda:UpdateFunctionCode pdf-render']], async () => {
    const answer = await call('POST', `${lambda('pdf-render')}/deploy`, { image: `${registry}/pdf-render:2` })
    t.equal(answer.statusCode, 202)
  })
  isDenied(t, found, 1)
})

t.test('the client of reads changes nothing', async (t) => {
  const row = await app.db.selectFrom('cloud_account').selectAll().where('id', '=', account.id)
    .executeTakeFirstOrThrow()
  const found = await tryEverything(await steal(await app.aws.client('ecs', row, 'eu-west-1')), [], true)
  t.same(found.others, [])
  t.ok(found.denied >= 20)
})

t.test('nothing that was tried left anything behind', async (t) => {
  const { accounts } = await sandbox.call<{ accounts: object[] }>('GET', '/state')
  t.notMatch(JSON.stringify(accounts), /mine|Administrator/)
})
