import t, { type Test } from '../../tap.js'
import { comparedRanges } from '../../../routes/cloud/lib/costs/explain-cost-change.js'
import { sum, toUnits } from '../../../routes/cloud/lib/costs/costs.js'
import type { CostChange } from '../../../schemas/cloud/costs.js'
import { asAdmin, buildApp } from '../../app.js'
import { steer } from '../infrastructure/sandbox.js'

const app = await buildApp(t)
const sandbox = steer(app)
const get = async (query = '') => app.inject({ url: `/cloud/costs/changes${query}`, headers: asAdmin })
const json = async (query = ''): Promise<CostChange> => (await get(query)).json()
const account = (await app.inject({ url: '/cloud/accounts', headers: asAdmin })).json().items[0]
const dayBefore = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)

t.beforeEach(async () => {
  await sandbox.clear()
  await sandbox.deny()
})

interface Sides { now: string, before: string, difference: string }

/** Fails unless the parts add up to the whole, and each difference is that of its two sides. */
const addsUp = (t: Test, whole: Sides, parts: (Sides | null)[], what: string): void => {
  const known = parts.filter((part) => part !== null)
  for (const side of ['now', 'before', 'difference'] as const) {
    t.equal(sum(known.map((part) => part[side])), sum([whole[side]]), `${what}: ${side}`)
  }
  t.ok(known.every(({ now, before, difference }) => toUnits(difference) === toUnits(now) - toUnits(before)), what)
}

t.test('the last thirty whole days against the thirty before; every list adds up to the difference above it', async (t) => {
  const answer = await get()
  t.equal(answer.statusCode, 200, answer.body)
  const report = answer.json<CostChange>()
  t.match(report, {
    account_ids: [account.id],
    metric: 'UnblendedCost',
    now: { start_date: dayBefore(30), end_date: dayBefore(1), days: 30 },
    before: { start_date: dayBefore(60), end_date: dayBefore(31), days: 30 },
    not_comparable: null,
    adjustments: [],
    source: { cached: false, api_requests: 6, estimated_fee_usd: '0.06', stale: false },
    partial: false,
    errors: []
  })
  const [change] = report.changes
  if (!change) throw new Error('Nothing was compared')
  t.same([report.now.totals, report.before.totals],
    [[{ amount: change.now, currency: 'USD' }], [{ amount: change.before, currency: 'USD' }]])
  addsUp(t, change, [...change.services, change.other_services], 'services')
  addsUp(t, change, change.charge_types, 'types of charge')
  for (const service of change.services) {
    addsUp(t, service, [...service.usage_types, service.other_usage_types], service.service)
  }
  const sizes = change.services.map(({ difference }) => Math.abs(Number(difference)))
  t.same(sizes, sizes.toSorted((a, b) => b - a), 'the largest change first')
  t.equal(change.days.length, 30)
  t.ok(change.days.every(({ day }, at) => day === dayBefore(30 - at)), 'each day once, today not among them')
  t.match(await json(), { source: { cached: true, api_requests: 0 } }, 'and the same again costs nothing')
})

t.test('the report of the same days has the same sums', async (t) => {
  const { now, changes } = await json()
  const { totals, by_group: groups } = (await app.inject({
    url: `/cloud/costs?start_date=${now.start_date}&end_date=${now.end_date}`, headers: asAdmin
  })).json()
  t.same(totals, now.totals)
  for (const { service, now: amount } of changes[0]?.services ?? []) {
    t.equal(groups.find(({ keys }: { keys: string[] }) => keys[0] === service)?.amount ?? '0', amount, service)
  }
})

t.test('days and months are compared with as many, and today is never among them', async (t) => {
  const at = Date.parse('2026-11-28T10:00:00Z')
  const rangesOf = (query: { start_date?: string, end_date?: string, against?: 'year_before' }) => {
    const { now, before, adjustments } = comparedRanges({ against: 'before', ...query }, at)
    return [[now.start, now.end, now.days], [before.start, before.end, before.days], adjustments]
  }
  t.same(rangesOf({ start_date: '2026-10-01', end_date: '2026-10-31' }),
    [['2026-10-01', '2026-10-31', 31], ['2026-09-01', '2026-09-30', 30], []], 'last month, against the one before')
  t.same(rangesOf({ start_date: '2026-08-01', end_date: '2026-09-30' }),
    [['2026-08-01', '2026-09-30', 61], ['2026-06-01', '2026-07-31', 61], []])
  t.same(rangesOf({ start_date: '2026-11-01', end_date: '2026-11-28' }),
    [['2026-11-01', '2026-11-27', 27], ['2026-10-05', '2026-10-31', 27], ['end_date moved to yesterday: today is not over']])
  t.same(rangesOf({ start_date: '2026-10-01', end_date: '2026-10-31', against: 'year_before' }),
    [['2026-10-01', '2026-10-31', 31], ['2025-10-01', '2025-10-31', 31], []])
  t.same(rangesOf({ start_date: '2026-11-10', end_date: '2026-11-20', against: 'year_before' }),
    [['2026-11-10', '2026-11-20', 11], ['2025-11-10', '2025-11-20', 11], []])
  const leap = comparedRanges({ start_date: '2028-02-20', end_date: '2028-02-28', against: 'year_before' },
    Date.parse('2028-02-29T10:00:00Z'))
  t.same([leap.before.start, leap.before.end], ['2027-02-20', '2027-02-28'])
  const sameDay = comparedRanges({ start_date: '2028-02-29', end_date: '2028-03-02', against: 'year_before' },
    Date.parse('2028-03-05T10:00:00Z'))
  t.same([sameDay.before.start, sameDay.before.end], ['2027-02-28', '2027-03-02'], 'the 29th has the 28th')
})

t.test('what AWS no longer keeps, and a day that is not over, are refused with the days that can be asked for', async (t) => {
  t.match(await json(`?against=year_before&start_date=${dayBefore(300)}&end_date=${dayBefore(290)}`),
    { status: 422, code: 'cost_range_invalid', errors: [{ pointer: '/querystring/against', message: /AWS keeps costs since/ }] })
  t.match(await json(`?start_date=${dayBefore(0)}`),
    { status: 422, code: 'cost_range_invalid', errors: [{ pointer: '/querystring/start_date' }] })
})

t.test('where nobody answered for one of the two, nothing is compared', async (t) => {
  await sandbox.deny('ce:GetCostAndUsage')
  t.match(await json(`?end_date=${dayBefore(3)}&start_date=${dayBefore(5)}`), { code: 'aws_permission_denied' })
})
