import { ECS } from '@aws-sdk/client-ecs'
import t from '../../tap.js'
import { withTarget } from '../../../lib/durable/target-claim.js'
import { SANDBOX_CREDENTIALS } from 'steward-sandbox/aws'
import { asAdmin, buildApp } from '../../app.js'
import { decide, propose, reasked } from '../../consent/drift.js'
import { steer } from './sandbox.js'

const app = await buildApp(t)
const sandbox = steer(app)
const [account] = (await app.inject({ url: '/cloud/accounts', headers: asAdmin })).json().items
/** Another actor, who is no client of ours. */
const ecs = new ECS({ endpoint: String(app.sandbox.aws), region: 'eu-west-1', credentials: SANDBOX_CREDENTIALS })
const elsewhere = (service: string, desiredCount: number) =>
  ecs.updateService({ cluster: 'prod', service, desiredCount })
const count = async (service: string) =>
  (await ecs.describeServices({ cluster: 'prod', services: [service] })).services?.[0]?.desiredCount
const idOf = (service: string) => `${account.id}~eu-west-1~prod~${service}`
const scale = (service: string, payload: object, headers = {}) => app.inject({
  method: 'POST',
  url: `/infrastructure/containers/services/${encodeURIComponent(idOf(service))}/scale`,
  headers: { ...asAdmin, ...headers },
  payload
})
const updates = () => sandbox.calls('UpdateService')

/** Lets another actor act when a call has been claimed, right before it is sent. */
const beforeSend = (act: () => Promise<unknown>) => {
  const { tools } = app
  const call = tools.call.bind(tools)
  let acted = false
  tools.call = async (principal, tool, args, conditions) => {
    if (conditions?.idempotencyKey && !acted) {
      acted = true
      await act()
    }
    return call(principal, tool, args, conditions)
  }
  return () => { tools.call = call }
}

t.test('a write names what it expects, and is not sent where the target is not like that', async (t) => {
  await elsewhere('web', 2)
  const before = await updates()
  const answer = await scale('web', { desired_count: 4, expected: { desired_count: 3, status: 'ACTIVE' } })
  const { request_id, type, ...body } = answer.json()
  t.same(body, {
    title: 'The state has changed since this was shown',
    status: 409,
    code: 'state_changed',
    detail: 'It is not as it was when this was shown (desired_count). Nothing was sent; read it, and decide again',
    changed: [{ field: 'desired_count', expected: 3, found: 2 }]
  })
  t.equal(await updates(), before)
  const wrong = await scale('web', { desired_count: 4, expected: { desired_count: 2, colour: 'red' } })
  t.match(wrong.json(), { code: 'unknown_field', errors: [{ pointer: '/expected/colour' }] })
  t.equal((await scale('web', { desired_count: 4, expected: { desired_count: 2 } })).statusCode, 200)
})

t.test('the same Idempotency-Key may be used again after state_changed: nothing was done under it', async (t) => {
  await elsewhere('web', 2)
  const key = { 'idempotency-key': 'expected-again' }
  t.equal((await scale('web', { desired_count: 5, expected: { desired_count: 3 } }, key)).statusCode, 409)
  const again = await scale('web', { desired_count: 5, expected: { desired_count: 2 } }, key)
  t.match([again.statusCode, again.json()], [200, { previous_count: 2, desired_count: 5 }])
})

t.test('what another actor changes after the claim is found by the last read, and asked again', async (t) => {
  await elsewhere('web', 2)
  const before = await updates()
  const restore = beforeSend(() => elsewhere('web', 7))
  const call = await propose(app, 'scaleService', { service: idOf('web'), desired_count: 5 })
  t.match(call.confirmation?.summary, /from 2 to 5$/)
  t.equal((await decide(app, call, call.confirmation?.id)).statusCode, 200)
  const now = await reasked(app, call)
  restore()
  t.match(now, {
    status: 'awaiting', confirmation: { replaces: call.confirmation?.id, summary: /from 7 to 5$/, status: 'pending' }
  })
  t.equal(await updates(), before + 1, 'that of the other actor')
  t.equal((await decide(app, now, now.confirmation?.id)).statusCode, 200)
  await reasked(app, now)
  t.equal(await count('web'), 5)
})

t.test('of approvals of one target at once, one runs, and the others are asked again on what it left', async (t) => {
  await elsewhere('web', 2)
  const calls = []
  for (const desired of [5, 8, 9]) {
    calls.push(await propose(app, 'scaleService', { service: idOf('web'), desired_count: desired }))
  }
  const answers = await Promise.all(calls.map((call) => decide(app, call, call.confirmation?.id)))
  const ends = await Promise.all(calls.map((call, index) => answers[index]?.statusCode === 200
    ? reasked(app, call)
    : { ...call, status: 'awaiting', confirmation: answers[index]?.json().confirmation }))
  const done = ends.filter(({ status }) => status === 'succeeded')
  t.equal(done.length, 1)
  const left = await count('web')
  for (const { status, confirmation } of ends.filter((end) => !done.includes(end))) {
    t.equal(status, 'awaiting')
    t.match(confirmation?.summary, new RegExp(`from ${left} to`))
  }
})

t.test('a target that another instance holds is waited for, and read after that', async (t) => {
  await elsewhere('web', 2)
  const key = {
    workspace_id: app.home.workspace_id, target: `ecs_service~${account.aws_account_id}~eu-west-1~prod~web`
  }
  let answered: Promise<{ json: () => unknown }> | undefined
  await withTarget(app, key, async (claim) => {
    answered = scale('web', { desired_count: 4, expected: { desired_count: 2 } })
    await elsewhere('web', 3)
    claim.requireHeld()
  })
  t.match((await answered)?.json(), { code: 'state_changed', changed: [{ expected: 2, found: 3 }] })
  t.same(await app.db.selectFrom('target_claim').selectAll().execute(), [], 'nothing is left of the claims')
})

t.test('what a process held that died is free after its lease', async (t) => {
  const target = `ecs_service~${account.aws_account_id}~eu-west-1~prod~web`
  const past = new Date(Date.now() - 1_000)
  await app.db.insertInto('target_claim').values({
    workspace_id: app.home.workspace_id,
    target,
    claim: '01900000-0000-7000-8000-000000000001',
    claimed_at: past,
    expires_at: past
  }).execute()
  t.equal((await scale('web', { desired_count: 4 })).statusCode, 200)
})
