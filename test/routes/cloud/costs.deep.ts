import t from '../../tap.js'
import { readCostRange, fromUnits, share, sum, toUnits } from '../../../routes/cloud/lib/costs/costs.js'
import { asAdmin, buildApp } from '../../app.js'
import { steer } from '../infrastructure/sandbox.js'

const app = await buildApp(t)
const sandbox = steer(app)
const get = async (query = '') => app.inject({ url: `/cloud/costs${query}`, headers: asAdmin })
const json = async (query = '') => (await get(query)).json()
const today = new Date().toISOString().slice(0, 10)
const account = (await app.inject({ url: '/cloud/accounts', headers: asAdmin })).json().items[0]
const usage = () => sandbox.calls('GetCostAndUsage')

t.beforeEach(async () => {
  await sandbox.clear()
  await sandbox.deny()
})

t.test('this month by service, exact to the last digit', async (t) => {
  const answer = await get()
  t.equal(answer.statusCode, 200, answer.body)
  const report = answer.json()
  t.match(report, {
    account_ids: [account.id],
    start_date: `${today.slice(0, 8)}01`,
    end_date: today,
    granularity: 'DAILY',
    metric: 'UnblendedCost',
    forecast: { status: 'not_requested' },
    anomalies: null,
    adjustments: [],
    source: { cached: false, api_requests: 1, estimated_fee_usd: '0.01', stale: false },
    partial: false,
    errors: []
  })
  t.ok(report.time_period.end_exclusive > today, 'the last day is included')
  t.equal(report.totals.length, 1)
  t.equal(sum(report.by_group.map(({ amount }: { amount: string }) => amount)), report.totals[0].amount)
  t.equal(sum(report.periods.map((period: { totals: { amount: string }[] }) => period.totals[0]?.amount)),
    report.totals[0].amount)
  t.match(report.by_group[0], { keys: [/^A/], currency: 'USD', share: /^0\.\d+$/ })
})

t.test('the same again costs nothing, and many at once cost one request', async (t) => {
  const before = await usage()
  const again = await json()
  t.match(again.source, { cached: true, api_requests: 0, estimated_fee_usd: '0' })
  t.equal(await usage(), before)
  const refreshed = await json('?refresh=true')
  t.match(refreshed, { source: { cached: true }, adjustments: [/refresh ignored/] })
  t.equal(await usage(), before)
  const many = await Promise.all(Array.from({ length: 8 }, () => json('?group_by=REGION')))
  t.equal(await usage(), before + 1)
  t.equal(new Set(many.map(({ totals }) => totals[0].amount)).size, 1)
})

t.test('tags and two groups', async (t) => {
  const report = await json('?group_by=TAG:team,SERVICE&granularity=MONTHLY')
  t.ok(report.by_group.every(({ keys }: { keys: string[] }) => keys.length === 2 && !keys[0]?.includes('$')))
  t.ok(report.by_group.some(({ keys }: { keys: string[] }) => keys[0] === '(untagged)'))
  const plain = await json('?group_by=NONE')
  t.same(plain.by_group, [])
  t.ok(Number(plain.totals[0].amount) > 0)
})

t.test('use that credits pay for is said apart from them, whatever it is grouped by', async (t) => {
  const own = await buildApp(t)
  const [container, storage] = ['Amazon Elastic Container Service', 'Amazon Simple Storage Service']
  await steer(own).call('PUT', '/costs', {
    lines: [
      { service: container, record_type: 'Usage', per_day: 6 }, { service: storage, record_type: 'Usage', per_day: 2 },
      { service: container, record_type: 'Credit', per_day: -6 },
      { service: storage, record_type: 'Refund', per_day: -2 }
    ]
  })
  const dayBefore = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)
  const read = async (query: string) => (await own.inject({
    url: `/cloud/costs?start_date=${dayBefore(27)}&end_date=${dayBefore(1)}&${query}`, headers: asAdmin
  })).json()
  const requests = { NONE: 1, SERVICE: 1, 'SERVICE,RECORD_TYPE': 1, 'SERVICE,REGION': 2 }
  const reports = []
  for (const [group_by, count] of Object.entries(requests)) {
    const report = await read(`group_by=${group_by}`)
    const [credits] = report.credits
    t.same(report.totals, [{ amount: '0', currency: 'USD' }], group_by)
    t.ok(Number(credits.amount) < -190 && Number(credits.amount) > -240, credits.amount)
    t.equal(sum(report.periods.map((period: { credits: { amount: string }[] }) => period.credits[0]?.amount)),
      credits.amount)
    t.equal(report.source.api_requests, count)
    reports.push(report)
  }
  t.equal(new Set(reports.map(({ credits }) => credits[0].amount)).size, 1)
  t.same(reports[0].by_group, [])
  t.same(reports[1].by_group.map((group: { keys: string[], amount: string, share: string }) =>
    [...group.keys, group.amount, group.share.slice(0, 3)]).sort(),
  [[container, '0', '0.7'], [storage, '0', '0.2']], 'shares are of what was charged')
  t.same(reports[3].by_group.map(({ credits }: { credits: string }) => credits).sort(),
    reports[1].by_group.map(({ credits }: { credits: string }) => credits).sort())
})

t.test('forecast and anomalies, where asked for', async (t) => {
  const report = await json('?forecast=true&anomalies=true&start_date=' +
    new Date(Date.now() - 30 * 86_400_000).toISOString().slice(0, 10))
  t.match(report.forecast, { status: 'ok', mean: { amount: /^\d/, currency: 'USD' }, low: /^\d/, high: /^\d/ })
  t.ok(Number(report.forecast.low) <= Number(report.forecast.mean.amount))
  t.match(report.anomalies[0], { id: /./, account_id: account.id, impact: { currency: 'USD' } })
  t.equal(report.source.api_requests, 3)
})

t.test('a year follows all pages', async (t) => {
  const start = new Date(Date.now() - 300 * 86_400_000).toISOString().slice(0, 10)
  const report = await json(`?start_date=${start}&granularity=DAILY&group_by=USAGE_TYPE,REGION`)
  t.ok(report.source.api_requests > 1)
  t.equal(report.periods.length, 301)
  t.equal((await json(`?start_date=${start}`)).granularity, 'MONTHLY')
})

t.test('a range that cannot be asked for is refused or clamped, and says so', async (t) => {
  const refused = ['?start_date=2099-01-01', '?start_date=2026-02-02&end_date=2026-02-01', '?end_date=2020-01-01']
  for (const query of refused) {
    t.match(await json(query), { status: 422, code: 'cost_range_invalid' }, query)
  }
  for (const query of ['?start_date=2026-02-30', '?start_date=yesterday', '?group_by=PRICE', '?granularity=HOURLY']) {
    t.match(await json(query), { status: 400, code: 'invalid_request' }, query)
  }
  t.equal((await json('?group_by=service')).detail, '/querystring/group_by must look like SERVICE,REGION. ' +
    'The field: One or two of SERVICE, LINKED_ACCOUNT, REGION, USAGE_TYPE, RECORD_TYPE, TAG:<key>, separated by a comma; or NONE')
  t.equal((await json('?granularity=HOURLY')).detail, '/querystring/granularity must be one of DAILY, MONTHLY')
  t.match(await json('?end_date=2031-01-01'), { end_date: today, adjustments: ['end_date clamped to today'] })
  const unknown = await json('?account_id=01890000-0000-7000-8000-000000000000')
  t.match(unknown, { status: 404, code: 'cloud_account_not_found' })
})

t.test('days are days of UTC, and the last day counts', (t) => {
  const at = (text: string) => Date.parse(text)
  t.match(readCostRange({}, at('2026-03-01T00:30:00Z')),
    { start: '2026-03-01', end: '2026-03-01', end_exclusive: '2026-03-02', granularity: 'DAILY' })
  t.match(readCostRange({ end_date: '2026-02-28' }, at('2026-03-15T00:00:00Z')),
    { start: '2026-02-01', end_exclusive: '2026-03-01' })
  t.match(readCostRange({ start_date: '2024-01-01' }, at('2026-03-15T00:00:00Z')),
    { start: '2025-02-01', granularity: 'MONTHLY', adjustments: [/AWS keeps 13 months/] })
  t.end()
})

t.test('money is added without floating point', (t) => {
  t.equal(sum(['0.1', '0.2']), '0.3')
  t.equal(sum(['-1.5', '0.0000000001', '1e-7', '2.5E+1']), '23.5000001001')
  t.equal(fromUnits(toUnits('-0.05')), '-0.05')
  t.same([share('1', '3'), share('0', '0'), share('2', '2')], ['0.3333', '0', '1'])
  t.end()
})

t.test('when AWS does not answer, what was kept is marked as stale', async (t) => {
  await json('?group_by=LINKED_ACCOUNT')
  await app.db.updateTable('cloud_cost').set({ expires_at: new Date(Date.now() - 1_000) }).execute()
  await sandbox.deny('ce:GetCostAndUsage')
  const report = await json('?group_by=LINKED_ACCOUNT')
  t.match(report,
    { source: { cached: true, stale: true }, errors: [{ code: 'aws_permission_denied' }], partial: false })
  t.match(await json('?group_by=RECORD_TYPE'), {
    status: 403, code: 'aws_permission_denied', missing_permission: { action: 'ce:GetCostAndUsage' }
  })
})

t.test('a new account without data is that error', async (t) => {
  const code = 'DataUnavailableException'
  await sandbox.fault({ kind: 'error', operation: 'GetCostAndUsage', code, message: 'Not yet', status: 400, times: 1 })
  t.match(await json('?group_by=USAGE_TYPE'), { status: 409, code: 'cost_data_unavailable' })
})

t.test('one of two accounts fails: partial', async (t) => {
  const role = 'arn:aws:iam::210987654321:role/StewardAccess'
  await sandbox.call('PUT', '/roles', { role_arn: role, external_id: 'other' })
  const made = await app.inject({
    method: 'POST',
    url: '/cloud/accounts',
    headers: asAdmin,
    payload: {
      name: 'Second',
      regions: ['eu-west-1'],
      auth: { type: 'assume_role', role_arn: role }
    }
  })
  const report = await json()
  t.match(report, {
    account_ids: [account.id], partial: true, errors: [{ account_id: made.json().id, code: 'cloud_account_unusable' }]
  })
})

t.test('the daily budget is enforced, and what was kept is still returned', async (t) => {
  await app.db.updateTable('cloud_cost_budget').set({ requests: 50 }).execute()
  const before = await usage()
  const answer = await get(`?account_id=${account.id}&metric=BlendedCost`)
  t.match(answer.json(), { status: 429, code: 'cost_budget_exhausted' })
  t.ok(Number(answer.headers['retry-after']) > 0)
  t.equal((await get(`?account_id=${account.id}`)).statusCode, 200)
  t.equal(await usage(), before)
})
