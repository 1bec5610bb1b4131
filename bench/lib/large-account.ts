/** One call of an AWS client, as a server reads it; Lambda's operations are `GET /path`. */
export interface Call { operation: string, region: string, body: Record<string, unknown> }

const clusterCount = 60
const servicesEach = 5
const tasksEach = 2
/** What AWS gives in one page. */
const pageSize = 100

const arn = (region: string, rest: string) => `arn:aws:ecs:${region}:123456789012:${rest}`
const lastOf = (text: string): string => text.split('/').at(-1) ?? ''
const count = (length: number) => Array.from({ length }, (_, index) => index)

/** eu-west-1 has 60 clusters with 5 services each, every other region the cluster `big` with all 300. */
const servicesIn = (region: string, cluster: string): string[] => {
  if (region !== 'eu-west-1') return count(clusterCount * servicesEach).map((index) => `item-${index}`)
  const first = Number(cluster.replace('cluster-', '')) * servicesEach
  return count(servicesEach).map((index) => `service-${first + index}`)
}
const clustersIn = (region: string) =>
  region === 'eu-west-1' ? count(clusterCount).map((index) => `cluster-${index}`) : ['big']

const page = <Key extends string>(key: Key, items: string[], { nextToken }: Record<string, unknown>) => {
  const from = Number(nextToken ?? 0)
  const next = from + pageSize < items.length ? { nextToken: String(from + pageSize) } : {}
  return { [key]: items.slice(from, from + pageSize), ...next }
}

const cluster = (region: string, name: string) =>
  ({ clusterName: name, clusterArn: arn(region, `cluster/${name}`), status: 'ACTIVE', activeServicesCount: servicesEach })

const definition = (region: string, service: string) => arn(region, `task-definition/${service}:3`)

const service = (region: string, name: string, of: string) => ({
  serviceName: name,
  serviceArn: arn(region, `service/${of}/${name}`),
  clusterArn: arn(region, `cluster/${of}`),
  status: 'ACTIVE',
  desiredCount: tasksEach,
  runningCount: tasksEach,
  pendingCount: 0,
  taskDefinition: definition(region, name),
  deployments: [{ id: `ecs-svc/${name}`, status: 'PRIMARY', rolloutState: 'COMPLETED', taskDefinition: definition(region, name) }]
})

const task = (region: string, reference: string) => {
  const name = lastOf(reference).replace(/-\d+$/, '')
  return {
    taskArn: reference,
    group: `service:${name}`,
    lastStatus: 'RUNNING',
    desiredStatus: 'RUNNING',
    startedBy: `ecs-svc/${name}`,
    taskDefinitionArn: definition(region, name),
    containers: [{ name: 'app', image: `${name}:3`, imageDigest: `sha256:${'3'.repeat(64)}` }]
  }
}

const texts = (value: unknown): string[] => Array.isArray(value) ? value.map(String) : []

/** @returns what AWS would answer about this account; undefined for what it is not asked here */
export const answerForLargeAccount = ({ operation, region, body }: Call): Record<string, unknown> | undefined => {
  const of = lastOf(String(body.cluster ?? ''))
  switch (operation) {
    case 'ListClusters': return page('clusterArns', clustersIn(region).map((name) => arn(region, `cluster/${name}`)), body)
    case 'DescribeClusters': return { clusters: texts(body.clusters).map((one) => cluster(region, lastOf(one))) }
    case 'ListServices':
      return page('serviceArns', servicesIn(region, of).map((name) => arn(region, `service/${of}/${name}`)), body)
    case 'DescribeServices': {
      const names = clustersIn(region).includes(of) ? servicesIn(region, of) : []
      const asked = texts(body.services).map(lastOf).filter((name) => names.includes(name))
      return { services: asked.map((name) => service(region, name, of)) }
    }
    case 'ListTasks': {
      const names = body.serviceName === undefined ? servicesIn(region, of) : [lastOf(String(body.serviceName))]
      const running = names.flatMap((name) => count(tasksEach).map((index) => arn(region, `task/${of}/${name}-${index}`)))
      return page('taskArns', body.desiredStatus === 'STOPPED' ? [] : running, body)
    }
    case 'DescribeTasks': return { tasks: texts(body.tasks).map((one) => task(region, one)) }
    case 'DescribeTaskDefinition': {
      const name = lastOf(String(body.taskDefinition)).replace(/:3$/, '')
      return { taskDefinition: { containerDefinitions: [{ name: 'app', image: `${name}:3` }] } }
    }
    case 'DescribeScalableTargets': return { ScalableTargets: [] }
    default: return region === 'eu-west-1' ? answerForFunction(operation) : missing
  }
}

/** As Lambda refuses a name that it does not have. */
const missing = { __type: 'ResourceNotFoundException', message: 'Function not found' }

const report = { FunctionName: 'report', FunctionArn: 'arn:aws:lambda:eu-west-1:123456789012:function:report' }

const answerForFunction = (operation: string): Record<string, unknown> | undefined => {
  switch (operation) {
    case 'GET /2015-03-31/functions': return { Functions: [report] }
    case 'GET /2015-03-31/functions/report/configuration': return report
    case 'GET /2015-03-31/functions/report/aliases': return { Aliases: [] }
    default: return undefined
  }
}
