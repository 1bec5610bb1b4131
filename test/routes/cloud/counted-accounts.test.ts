import t from '../../tap.js'
import { asAdmin, buildApp } from '../../app.js'
import { startForeignEndpoint, type EndpointCall } from '../infrastructure/foreign-endpoint.js'

const payer = '111111111111'
const member = '222222222222'
const stranger = '333333333333'
/** What a day costs in the accounts of the organisation. */
const daily: Record<string, number> = { [payer]: 10, [member]: 5, [stranger]: 2 }
let broken = ''

interface Filter { Not?: { Dimensions: { Key: string, Values: string[] } } }

/** AWS answers a question with groups by groups alone, and one without by the total alone. */
const grouped = (groups: unknown, metrics: object): object => Array.isArray(groups) && groups.length > 0
  ? { Total: {}, Groups: [{ Keys: groups.map(() => 'Usage'), Metrics: metrics }] }
  : { Total: metrics, Groups: [] }

/** Cost Explorer as AWS has it: the management account sees its linked accounts, a member sees itself. */
const answer = ({ operation, key, body }: EndpointCall) => {
  const number = key.slice(-12)
  if (number === broken) return undefined
  const { Not } = (body.Filter ?? {}) as Filter
  const hidden = Not?.Dimensions.Key === 'LINKED_ACCOUNT' ? Not.Dimensions.Values : []
  const visible = (number === payer ? [payer, member, stranger] : [number]).filter((one) => !hidden.includes(one))
  const amount = visible.reduce((sum, one) => sum + (daily[one] ?? 0), 0)
  const Amount = String(amount)
  switch (operation) {
    case 'GetCostAndUsage': return {
      ResultsByTime: [{
        TimePeriod: body.TimePeriod,
        ...grouped(body.GroupBy, { UnblendedCost: { Amount, Unit: 'USD' } }),
        Estimated: true
      }]
    }
    case 'GetCostForecast': return { Total: { Amount, Unit: 'USD' }, ForecastResultsByTime: [] }
    case 'GetAnomalies': return {
      Anomalies: (number === payer ? Object.keys(daily) : [number])
        .map((one) => ({ AnomalyId: `${number}-${one}`, RootCauses: [{ LinkedAccount: one }] }))
    }
    default: return undefined
  }
}
const endpoint = await startForeignEndpoint(t, answer)
const app = await buildApp(t, { AWS_ENDPOINT_URL: endpoint.url })
const call = async (method: 'GET' | 'POST' | 'PATCH', url: string, payload?: object) =>
  (await app.inject({ method, url, headers: asAdmin, ...(payload && { payload }) })).json()
const register = async (name: string, number: string) => (await call('POST', '/cloud/accounts', {
  name,
  regions: ['eu-west-1'],
  auth: { type: 'access_keys', access_key_id: `AKIA${name.toUpperCase()}${number}`, secret_access_key: 'long-enough' }
})).id
const costs = (query = '') => call('GET', `/cloud/costs?group_by=NONE${query}`)

t.test('one AWS account that is registered twice counts once, though its number was not known', async (t) => {
  const first = await register('Apple', member)
  const second = await register('Berry', member)
  const report = await costs()
  t.same([report.account_ids, report.totals, report.partial], [[first], [{ amount: '5', currency: 'USD' }], false])
  t.same(report.adjustments, [`Berry is AWS account ${member} too and counts once, as Apple`])
  t.equal(endpoint.count('GetCostAndUsage'), 1)
  for (const id of [first, second]) t.equal((await call('GET', `/cloud/accounts/${id}`)).aws_account_id, member)
  await app.db.updateTable('cloud_account').set({ capabilities: JSON.stringify({ costs: 'denied' }) })
    .where('id', '=', first).execute()
  t.same((await costs()).account_ids, [second], 'the one that may read the costs is asked')
  await app.db.updateTable('cloud_account').set({ capabilities: '{}' }).where('id', '=', first).execute()
})

t.test('a payer beside its member: each linked account counts once', async (t) => {
  const id = await register('Payer', payer)
  const report = await costs('&forecast=true&anomalies=true')
  t.same(report.totals, [{ amount: '17', currency: 'USD' }], '10 + 5 + 2, not 22')
  t.same(report.forecast.mean, { amount: '17', currency: 'USD' })
  t.same(report.anomalies.map((one: { id: string }) => one.id).sort(),
    [`${payer}-${payer}`, `${payer}-${stranger}`, `${member}-${member}`].sort())
  const own = await costs(`&account_id=${id}`)
  t.same(own.totals, [{ amount: '17', currency: 'USD' }], 'asked for alone, it is all that it pays for')
})

t.test('an account whose number nobody knows is not counted, and is named', async (t) => {
  await app.db.deleteFrom('cloud_cost').execute()
  const id = await register('Silent', stranger)
  await app.db.updateTable('cloud_account').set({ secret: null }).where('id', '=', id).execute()
  const report = await costs()
  t.same([report.totals, report.partial], [[{ amount: '17', currency: 'USD' }], true])
  t.match(report.errors, [{ account_id: id, code: 'cloud_account_unusable' }])
})

t.test('a member that does not answer is missing and named, not guessed from its payer', async (t) => {
  await app.db.deleteFrom('cloud_cost').execute()
  broken = member
  const report = await costs()
  t.same([report.totals, report.partial], [[{ amount: '12', currency: 'USD' }], true])
  t.match(report.errors.map(({ code }: { code: string }) => code), ['cloud_account_unusable', 'unsupported'])
})
