import t from '../../tap.js'
import { asAdmin, workspace } from '../../app.js'
import { steer } from './sandbox.js'

interface Finding { kind: string, weight: string, text: string, at: string | null, source: { operation: string, id: string } }
interface Diagnosis { health: string, findings: Finding[], unread: string[] }

const app = await workspace(t)
const sandbox = steer(app)
const read = async (service: string): Promise<Diagnosis> => {
  const url = `/infrastructure/containers/services/${encodeURIComponent(service)}/diagnosis`
  const answer = await app.inject({ url, headers: asAdmin })
  t.equal(answer.statusCode, 200, answer.body)
  return answer.json()
}
const of = ({ findings }: Diagnosis, kind: string) => findings.filter((one) => one.kind === kind)

t.test('a service that does not start: what failed comes first, each line with its source', async (t) => {
  const found = await read('prod/worker')
  const { findings, unread, ...rest } = found
  t.match(rest, { name: 'worker', cluster: 'prod', region: 'eu-west-1', health: 'down' })
  t.same(unread, [])
  const weights = findings.map(({ weight }) => weight)
  t.same(weights, weights.toSorted((a, b) => ['high', 'medium', 'low'].indexOf(a) - ['high', 'medium', 'low'].indexOf(b)))
  t.match(of(found, 'counts'), [{ weight: 'high', text: /^0 of 2 tasks run, \d are pending$/, source: { operation: 'ecs:DescribeServices' } }])
  const [stopped] = of(found, 'task_stopped')
  t.match(stopped, {
    weight: 'high',
    text: /^\d+ tasks stopped lately: Essential container in task exited \(worker ended with exit code 1\)$/,
    source: { operation: 'ecs:DescribeTasks', id: /^[0-9a-f]{32}$/ }
  })
  t.match(of(found, 'deployment')[0], { weight: 'high', text: /^Deployment of worker:2 is IN_PROGRESS: 0 of 2 tasks run, \d+ failed/ })
  t.same(of(found, 'alarm').map(({ text }) => text.split(' fires: ')[0]).sort(), ['Alarm orders', 'Alarm worker-not-running'])
  const lines = of(found, 'log')
  t.ok(lines.some(({ text }) => text.includes('ECONNREFUSED')), 'the line that killed it')
  t.ok(lines.every(({ source }) => source.operation === 'logs:FilterLogEvents' && source.id.startsWith('/ecs/prod/worker ')))
  t.ok(findings.every(({ at }) => at !== null && Date.parse(at) <= Date.now() + 1_000))
})

t.test('a service that is well has nothing heavy, and says what nobody asks', async (t) => {
  const found = await read('prod/web')
  t.equal(found.health, 'healthy')
  t.same(found.findings.filter(({ weight }) => weight === 'high'), [])
  t.same(found.unread, ['The health of targets is not read: Steward does not ask load balancers'])
})

t.test('what may not be read is said, and the rest is there', async (t) => {
  t.teardown(() => sandbox.deny())
  app.aws.inventory.forget('')
  await sandbox.deny('cloudwatch:DescribeAlarms', 'logs:FilterLogEvents', 'ecs:ListTasks')
  const found = await read('prod/worker')
  t.same(found.unread.map((text) => text.split(' could not be read: ')[0]).sort(), ['Alarms', 'Logs', 'Running tasks', 'Stopped tasks'])
  t.match(found.unread.join(), /cloudwatch:DescribeAlarms.*logs:FilterLogEvents|logs:FilterLogEvents.*cloudwatch:DescribeAlarms/)
  t.same([...new Set(found.findings.map(({ kind }) => kind))].sort(), ['counts', 'deployment', 'event'])
})
