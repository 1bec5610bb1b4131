import t from '../../tap.js'
import { asAdmin, buildApp } from '../../app.js'
import { startForeignEndpoint } from '../infrastructure/foreign-endpoint.js'
import { steer } from '../infrastructure/sandbox.js'

const app = await buildApp(t)
const sandbox = steer(app)
const get = async (query = '') => app.inject({ url: `/cloud/costs/tags${query}`, headers: asAdmin })
const json = async (query = '') => (await get(query)).json()
const account = (await app.inject({ url: '/cloud/accounts', headers: asAdmin })).json().items[0]
const dayBefore = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)
const today = dayBefore(0)
const spent = async () =>
  (await app.db.selectFrom('cloud_cost_budget').select('requests').executeTakeFirst())?.requests ?? 0

/** @returns the query of a range that no other test reads */
const range = (days: number) => `?start_date=${dayBefore(days)}`

const paid = (requests: number) => ({
  cached: false, api_requests: requests, estimated_fee_usd: `0.0${requests}`, stale: false
})
const whole = {
  keys: ['env', 'team'], account_ids: [account.id], end_date: today, adjustments: [], partial: false, errors: []
}

/** @returns the answer without its times, which it has */
const timeless = (body: { source: Record<string, unknown> }) => {
  const { source: { fetched_at: fetched, expires_at: expires, ...source }, ...rest } = body
  t.ok(Date.parse(String(expires)) > Date.parse(String(fetched)))
  return { ...rest, source }
}

t.beforeEach(async () => {
  await sandbox.clear()
  await sandbox.deny()
})

t.test('the keys of tags are read once and kept; many at once cost one request', async (t) => {
  const first = await get(range(30))
  t.equal(first.statusCode, 200, first.body)
  t.same(timeless(first.json()), { ...whole, start_date: dayBefore(30), source: paid(1) })
  t.same(timeless(await json(range(30))), {
    ...whole, start_date: dayBefore(30), source: { cached: true, api_requests: 0, estimated_fee_usd: '0', stale: false }
  })
  t.equal(await sandbox.calls('GetTags'), 1)
  const many = await Promise.all(Array.from({ length: 8 }, () => json(range(31))))
  t.equal(await sandbox.calls('GetTags'), 2)
  t.ok(many.every(({ keys }) => keys.join() === 'env,team'))
})

t.test('a role that may not read tags is that error, with what is missing; nothing is kept of it', async (t) => {
  await sandbox.deny('ce:GetTags')
  const { detail, aws, missing_permission: missing, ...problem } = await json(range(40))
  t.match(problem, { status: 403, code: 'aws_permission_denied' })
  t.match(detail, /not authorized to perform: ce:GetTags/)
  t.match(missing, { action: 'ce:GetTags', resource: 'arn:aws:ce:us-east-1:123456789012:/GetTags' })
  await sandbox.deny()
  t.same(timeless(await json(range(40))), { ...whole, start_date: dayBefore(40), source: paid(1) })
})

t.test('the repeats of throttled requests are counted, and none goes out beyond the budget', async (t) => {
  const [before, sent] = [await spent(), await sandbox.calls('GetTags')]
  await sandbox.fault({ kind: 'throttle', operation: 'GetTags', times: 2 })
  t.same(timeless(await json(range(50))), { ...whole, start_date: dayBefore(50), source: paid(3) })
  t.same([await sandbox.calls('GetTags') - sent, await spent() - before], [3, 3])
  await app.db.updateTable('cloud_cost_budget').set({ requests: 48 }).execute()
  await sandbox.fault({ kind: 'throttle', operation: 'GetTags', times: 0 })
  t.match(await json(range(51)), { status: 429, code: 'cost_budget_exhausted' })
  t.same([await sandbox.calls('GetTags') - sent, await spent()], [5, 50])
  await app.db.updateTable('cloud_cost_budget').set({ requests: 0 }).execute()
})

t.test('when AWS does not answer, what was kept is marked as stale', async (t) => {
  await json(range(60))
  await app.db.updateTable('cloud_cost').set({ expires_at: new Date(Date.now() - 1_000) }).execute()
  await sandbox.deny('ce:GetTags')
  const { errors, source, ...rest } = await json(range(60))
  const { errors: _none, ...kept } = whole
  t.same(rest, { ...kept, start_date: dayBefore(60) })
  t.match(source, { cached: true, stale: true, api_requests: 1 })
  t.match(errors, [{ account_id: account.id, region: null, code: 'aws_permission_denied' }])
})

t.test('an account without data is that error, and a range is checked as that of costs', async (t) => {
  const code = 'DataUnavailableException'
  await sandbox.fault({ kind: 'error', operation: 'GetTags', code, message: 'Not yet', status: 400, times: 1 })
  t.match(await json(range(70)), { status: 409, code: 'cost_data_unavailable' })
  t.match(await json('?start_date=2999-01-01'), { status: 422, code: 'cost_range_invalid' })
})

t.test('the pages of AWS are followed to the end, as are the accounts', async (t) => {
  const pages = [['team', 'Env'], [], ['aws:createdBy', 'team']]
  const endpoint = await startForeignEndpoint(t, ({ operation, body }) => {
    const page = Number(body.NextPageToken ?? 0)
    if (operation !== 'GetTags') return undefined
    return { Tags: pages[page], ...(page + 1 < pages.length && { NextPageToken: String(page + 1) }) }
  })
  const other = await buildApp(t, { AWS_ENDPOINT_URL: endpoint.url })
  const made = (await other.inject({
    method: 'POST',
    url: '/cloud/accounts',
    headers: asAdmin,
    payload: { name: 'Elsewhere', regions: ['eu-west-1'], auth: { type: 'ambient' } }
  })).json()
  const answer = await other.inject({ url: `/cloud/costs/tags${range(30)}`, headers: asAdmin })
  t.equal(answer.statusCode, 200, answer.body)
  t.same(timeless(answer.json()), {
    ...whole,
    keys: ['Env', 'aws:createdBy', 'team'],
    account_ids: [made.id],
    start_date: dayBefore(30),
    source: paid(3)
  })
  const asked = endpoint.calls.filter(({ operation }) => operation === 'GetTags')
  t.same(asked.map(({ body }) => body.NextPageToken ?? null), [null, '1', '2'])
})

t.test('one of two accounts fails: partial, with its name', async (t) => {
  const role = 'arn:aws:iam::210987654321:role/StewardAccess'
  await sandbox.call('PUT', '/roles', { role_arn: role, external_id: 'other' })
  const second = (await app.inject({
    method: 'POST',
    url: '/cloud/accounts',
    headers: asAdmin,
    payload: { name: 'Data', regions: ['eu-west-1'], auth: { type: 'assume_role', role_arn: role } }
  })).json()
  await sandbox.call('PUT', '/roles', { role_arn: role, external_id: second.auth.external_id })
  t.match(await json(range(30)), { account_ids: [second.id, account.id], keys: ['env', 'team'], partial: false })
  await app.db.updateTable('cloud_cost_budget').set({ requests: 50 }).where('account_id', '=', second.id).execute()
  t.same(timeless(await json(range(80))), {
    ...whole,
    start_date: dayBefore(80),
    source: paid(1),
    partial: true,
    errors: [{
      account_id: second.id,
      region: null,
      code: 'cost_budget_exhausted',
      detail: 'Data has used its 50 paid requests of today',
      aws_request_id: null
    }]
  })
})
