import { asAdmin, buildApp, type AppTest } from '../../app.js'
import { startForeignEndpoint, type EndpointCall } from './foreign-endpoint.js'

export interface Line { timestamp: number, message: string, eventId?: string, logStreamName: string }

export const now = Date.now()
/** What the endpoint has, and how it answers; a test changes it. */
export interface World {
  lines: Record<string, Line[]>
  /** By group: the code that refuses it. */
  refusals: Record<string, string>
  containers: { name: string, group?: string, prefix?: string }[]
  /** How many lines one page has at most, whatever is asked for. */
  pageSize: number
}

/** One line a second that ends now, and the same moment twice now and then. */
export const speak = (stream: string, count: number): Line[] => Array.from({ length: count }, (_, index) => ({
  timestamp: now - 60_000 - Math.floor(index / 2) * 2_000,
  message: `${stream} ${index}`,
  eventId: `${stream}-${index}`,
  logStreamName: `${stream}/task-1`
}))

export const until = `until=${new Date(now - 50_000).toISOString()}`

export const makeWorld = (): World => ({
  lines: { '/ecs/web': speak('ecs/web', 600) },
  refusals: {},
  containers: [{ name: 'web', group: '/ecs/web', prefix: 'ecs' }],
  pageSize: 10_000
})

const arn = 'arn:aws:ecs:eu-west-1:123456789012:'
const definition = ({ containers }: World) => containers.map(({ name, group, prefix }) => ({
  name,
  image: name,
  ...(group && {
    logConfiguration: {
      logDriver: 'awslogs',
      options: { 'awslogs-group': group, ...(prefix && { 'awslogs-stream-prefix': prefix }) }
    }
  })
}))

/** Oldest first whatever `startFromHead` says, and streams of any prefix: as emulators do that know neither. */
const filter = ({ lines, pageSize }: World, { body }: EndpointCall) => {
  const { startTime, endTime = Infinity, limit, nextToken = '0' } = body
  const all = (lines[String(body.logGroupName)] ?? [])
    .filter(({ timestamp }) => timestamp >= Number(startTime) && timestamp <= Number(endTime))
    .toSorted((a, b) => a.timestamp - b.timestamp)
  const start = Number(nextToken)
  const end = start + Math.min(Number(limit ?? 10_000), pageSize)
  return { events: all.slice(start, end), ...(end < all.length && { nextToken: String(end) }) }
}

/** A Steward whose one account is at such an endpoint. */
export const startWithLogs = async (t: AppTest, world: World) => {
  const endpoint = await startForeignEndpoint(t, (call) => {
    switch (call.operation) {
      case 'DescribeServices': return {
        services: [{ serviceName: 'web', status: 'ACTIVE', taskDefinition: `${arn}task-definition/web:1` }]
      }
      case 'DescribeTaskDefinition': return { taskDefinition: { containerDefinitions: definition(world) } }
      case 'FilterLogEvents': {
        const refusal = world.refusals[String(call.body.logGroupName)]
        return refusal === undefined ? filter(world, call) : { __type: refusal, message: `${refusal}: no logs for you` }
      }
      default: return undefined
    }
  })
  const app = await buildApp(t, { AWS_ENDPOINT_URL: endpoint.url })
  const account = (await app.inject({
    method: 'POST',
    url: '/cloud/accounts',
    headers: asAdmin,
    payload: { name: 'Elsewhere', regions: ['eu-west-1'], auth: { type: 'ambient' } }
  })).json()
  const url = `/infrastructure/containers/services/${account.id}~eu-west-1~prod~web/logs`
  const get = async (query: string) => (await app.inject({ url: `${url}?${query}`, headers: asAdmin })).json()
  const reset = () => {
    app.aws.inventory.forget('')
    Object.assign(world, makeWorld())
  }
  return { get, reset }
}

export const idsOf = (page: { items: { id: string }[] }) => page.items.map(({ id }) => id)
