import t from '../../tap.js'
import { ticketHeader } from '../../../lib/security/principal.js'
import { asAdmin, buildApp } from '../../app.js'
import { startForeignEndpoint } from './foreign-endpoint.js'

const arn = (rest: string) => `arn:aws:ecs:eu-west-1:123456789012:${rest}`
const name = (index: number) => `service-with-a-rather-long-name-${String(index).padStart(3, '0')}`
const digest = (digit: string) => `sha256:${digit.repeat(64)}`
let running: string[] = []

const endpoint = await startForeignEndpoint(t, ({ operation, body }) => {
  switch (operation) {
    case 'ListServices': return {
      serviceArns: Array.from({ length: 60 }, (_, index) => arn(`service/prod/${name(index)}`))
    }
    case 'DescribeServices': return {
      services: (body.services as string[]).map((reference) => ({
        serviceArn: arn(`service/prod/${reference.split('/').at(-1)}`),
        serviceName: reference.split('/').at(-1),
        clusterArn: arn('cluster/prod'),
        status: 'ACTIVE',
        taskDefinition: arn('task-definition/web:7')
      }))
    }
    case 'DescribeTaskDefinition': return {
      taskDefinition: { containerDefinitions: [{ name: 'web', image: 'web:2' }] }
    }
    case 'DescribeScalableTargets': return { ScalableTargets: [] }
    case 'ListTasks': return {
      taskArns: body.desiredStatus === 'RUNNING' ? running.map((_, index) => `task/${index}`) : []
    }
    case 'DescribeTasks': return {
      tasks: running.map((imageDigest, index) => ({
        taskArn: `task/${index}`,
        taskDefinitionArn: arn(`task-definition/web:${imageDigest === digest('9') ? 6 : 7}`),
        lastStatus: 'RUNNING',
        containers: [{ name: 'web', imageDigest }]
      }))
    }
    default: return undefined
  }
})
const app = await buildApp(t, { AWS_ENDPOINT_URL: endpoint.url })
const account = (await app.inject({
  method: 'POST',
  url: '/cloud/accounts',
  headers: asAdmin,
  payload: { name: 'Big', regions: ['eu-west-1'], auth: { type: 'ambient' } }
})).json()
const prod = `${account.id}~eu-west-1~prod`

t.test('a page of services fits whole into what the model is given, and its cursor goes on', async (t) => {
  const { workspace_id, admin_id: user_id } = app.home
  const ticket = () => app.tickets.issue({
    workspace_id,
    user_id,
    name: 'Admin',
    role: 'admin',
    bindings: null,
    scopes: null,
    via: 'assistant',
    via_id: null,
    background: true
  })
  const seen: string[] = []
  let cursor = ''
  do {
    const url = `/infrastructure/containers/clusters/${prod}/services?limit=100${cursor}`
    const answer = await app.inject({ url, headers: { [ticketHeader]: ticket() } })
    t.ok(Buffer.byteLength(answer.body) < app.config.limits.result_model_bytes, `${answer.body.length} bytes`)
    const page = answer.json()
    seen.push(...page.items.map((one: { name: string }) => one.name))
    cursor = page.next_cursor && `&cursor=${encodeURIComponent(page.next_cursor)}`
  } while (cursor)
  t.same(seen, Array.from({ length: 60 }, (_, index) => name(index)))
  const url = `/infrastructure/containers/clusters/${prod}/services?limit=100`
  t.equal((await app.inject({ url, headers: asAdmin })).json().items.length, 60, 'others get what they ask for')
})

t.test('the digest of an image is the one that all running tasks of the revision have', async (t) => {
  const url = `/infrastructure/containers/services/${prod}~${name(1)}`
  const images = async () => (await app.inject({ url, headers: asAdmin })).json().images
  const cases: [string[], string | null][] = [
    [[digest('1'), digest('1'), digest('9')], digest('1')],
    [[digest('1'), digest('2')], null],
    [[], null]
  ]
  for (const [digests, expected] of cases) {
    running = digests
    t.same(await images(), [{ container: 'web', image: 'web:2', digest: expected }])
  }
})
