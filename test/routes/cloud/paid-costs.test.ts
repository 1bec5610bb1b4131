import t from '../../tap.js'
import { asAdmin, buildApp } from '../../app.js'
import { steer } from '../infrastructure/sandbox.js'

const app = await buildApp(t)
const sandbox = steer(app)
const get = async (query: string) => (await app.inject({ url: `/cloud/costs${query}`, headers: asAdmin })).json()
const account = (await app.inject({ url: '/cloud/accounts', headers: asAdmin })).json().items[0]
const spent = async () =>
  (await app.db.selectFrom('cloud_cost_budget').select('requests').executeTakeFirst())?.requests ?? 0

t.beforeEach(async () => {
  await sandbox.clear()
  await sandbox.deny()
})

t.test('costs that were paid for are answered and kept though the forecast and the anomalies fail', async (t) => {
  await sandbox.deny('ce:GetCostForecast', 'ce:GetAnomalies')
  const report = await get('?forecast=true&anomalies=true')
  t.match(report, { account_ids: [account.id], partial: true, anomalies: null, source: { api_requests: 3 } })
  t.ok(Number(report.totals[0].amount) > 0)
  const { reason, ...forecast } = report.forecast
  t.same(forecast, { status: 'unavailable', mean: null, low: null, high: null, until: null })
  t.match(reason, /not authorized to perform: ce:GetCostForecast/)
  t.match(report.errors, [
    { account_id: account.id, code: 'aws_permission_denied', detail: /^The forecast could not be read: User: / },
    { account_id: account.id, code: 'aws_permission_denied', detail: /^The anomalies could not be read: User: / }
  ])
  t.equal(report.errors.length, 2)
  await sandbox.deny()
  const asked = await sandbox.calls('GetCostAndUsage')
  const again = await get('?forecast=true&anomalies=true')
  t.match(again, { partial: false, errors: [], forecast: { status: 'ok' }, source: { api_requests: 2, cached: false } })
  t.same(again.totals, report.totals)
  t.equal(await sandbox.calls('GetCostAndUsage'), asked, 'what was paid for is not asked again')
  t.match(await get(''), { source: { cached: true, api_requests: 0 } }, 'also by a report without them')
})

t.test('every request that goes out is counted, the repeats of throttled ones too', async (t) => {
  const before = await spent()
  const sent = await sandbox.calls('GetCostAndUsage')
  await sandbox.fault({ kind: 'throttle', operation: 'GetCostAndUsage', times: 2 })
  const report = await get('?group_by=REGION')
  t.match(report, { partial: false, source: { api_requests: 3, estimated_fee_usd: '0.03' } })
  t.same([await sandbox.calls('GetCostAndUsage') - sent, await spent() - before], [3, 3])
})

t.test('requests of a report that fails are taken from the budget too, and none goes out beyond it', async (t) => {
  await app.db.updateTable('cloud_cost_budget').set({ requests: 48 }).execute()
  const sent = await sandbox.calls('GetCostAndUsage')
  await sandbox.fault({ kind: 'throttle', operation: 'GetCostAndUsage', times: 0 })
  t.match(await get('?group_by=USAGE_TYPE'), { status: 429, code: 'cost_budget_exhausted' })
  t.same([await sandbox.calls('GetCostAndUsage') - sent, await spent()], [2, 50])
})
