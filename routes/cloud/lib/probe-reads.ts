import type { ECS, ServiceDeploymentBrief } from '@aws-sdk/client-ecs'
import { attempt, skip, type Probe, type ProbeTarget } from './probe.js'

type Read = (action: string) => Probe

const containers = (region: string): Read => (action) => ({ action, capability: 'containers_read', region })

const probeTasks = async (ecs: ECS, cluster: string, { findings }: ProbeTarget, read: Read) => {
  const tasks = await attempt(findings, read('ecs:ListTasks'), () => ecs.listTasks({ cluster, maxResults: 1 }))
  const task = tasks?.taskArns?.[0]
  if (!task) return skip(findings, read('ecs:DescribeTasks'), 'The cluster has no task to look at')
  await attempt(findings, read('ecs:DescribeTasks'), () => ecs.describeTasks({ cluster, tasks: [task] }))
}

const probeHistory = async (ecs: ECS, deployment: ServiceDeploymentBrief | undefined, { findings }: ProbeTarget,
  read: Read) => {
  const { serviceDeploymentArn: arn, targetServiceRevisionArn: revision } = deployment ?? {}
  const missing = 'The service has no deployment to look at'
  if (arn) {
    await attempt(findings, read('ecs:DescribeServiceDeployments'), () =>
      ecs.describeServiceDeployments({ serviceDeploymentArns: [arn] }))
  } else skip(findings, read('ecs:DescribeServiceDeployments'), missing)
  if (revision) {
    await attempt(findings, read('ecs:DescribeServiceRevisions'), () =>
      ecs.describeServiceRevisions({ serviceRevisionArns: [revision] }))
  } else skip(findings, read('ecs:DescribeServiceRevisions'), missing)
}

const serviceActions = ['ecs:DescribeServices', 'ecs:DescribeTaskDefinition', 'ecs:ListServiceDeployments',
  'ecs:DescribeServiceDeployments', 'ecs:DescribeServiceRevisions']

const probeService = async (ecs: ECS, cluster: string, target: ProbeTarget, read: Read) => {
  const { findings } = target
  const list = await attempt(findings, read('ecs:ListServices'), () => ecs.listServices({ cluster, maxResults: 1 }))
  const arn = list?.serviceArns?.[0]
  if (!arn) {
    for (const action of serviceActions) skip(findings, read(action), 'The cluster has no service to look at')
    return
  }
  const found = await attempt(findings, read('ecs:DescribeServices'), () =>
    ecs.describeServices({ cluster, services: [arn] }))
  const definition = found?.services?.[0]?.taskDefinition
  if (definition) {
    await attempt(findings, read('ecs:DescribeTaskDefinition'), () =>
      ecs.describeTaskDefinition({ taskDefinition: definition }))
  } else skip(findings, read('ecs:DescribeTaskDefinition'), 'No task definition is known')
  const history = await attempt(findings, read('ecs:ListServiceDeployments'), () =>
    ecs.listServiceDeployments({ cluster, service: arn, maxResults: 1 }))
  await probeHistory(ecs, history?.serviceDeployments?.[0], target, read)
}

const clusterActions = ['ecs:DescribeClusters', 'ecs:ListServices', 'ecs:ListTasks', 'ecs:DescribeTasks',
  ...serviceActions]

export const probeContainers = async (target: ProbeTarget) => {
  const { aws, account, region, findings } = target
  const ecs = await aws.client('ecs', account, region)
  const read = containers(region)
  const list = await attempt(findings, read('ecs:ListClusters'), () => ecs.listClusters({ maxResults: 1 }))
  const cluster = list?.clusterArns?.[0]
  if (!cluster) {
    for (const action of clusterActions) skip(findings, read(action), 'The region has no cluster to look at')
    return
  }
  await Promise.all([
    attempt(findings, read('ecs:DescribeClusters'), () => ecs.describeClusters({ clusters: [cluster] })),
    probeService(ecs, cluster, target, read),
    probeTasks(ecs, cluster, target, read)
  ])
}

export const probeAutoscaling = async ({ aws, account, region, findings }: ProbeTarget) => {
  const client = await aws.client('autoscaling', account, region)
  await attempt(findings, containers(region)('application-autoscaling:DescribeScalableTargets'), () =>
    client.describeScalableTargets({ ServiceNamespace: 'ecs', MaxResults: 1 }))
}

export const probeFunctions = async ({ aws, account, region, findings }: ProbeTarget) => {
  const lambda = await aws.client('lambda', account, region)
  const read: Read = (action) => ({ action, capability: 'serverless_read', region })
  const list = await attempt(findings, read('lambda:ListFunctions'), () => lambda.listFunctions({ MaxItems: 1 }))
  const FunctionName = list?.Functions?.[0]?.FunctionName
  if (!FunctionName) {
    for (const action of ['lambda:GetFunctionConfiguration', 'lambda:GetFunction']) {
      skip(findings, read(action), 'The region has no function to look at')
    }
    return
  }
  await Promise.all([
    attempt(findings, read('lambda:GetFunctionConfiguration'), () => lambda.getFunctionConfiguration({ FunctionName })),
    // Only the image of a function needs it.
    attempt(findings, { ...read('lambda:GetFunction'), capability: null }, () => lambda.getFunction({ FunctionName }))
  ])
}

/** AWS checks the permission before it looks for the group. */
export const probeLogs = async ({ aws, account, region, findings, unknownId }: ProbeTarget) => {
  const logs = await aws.client('logs', account, region)
  const probe: Probe = { action: 'logs:FilterLogEvents', capability: 'logs', region, infers: true, resource: unknownId }
  await attempt(findings, probe, () =>
    logs.filterLogEvents({ logGroupName: unknownId, startTime: Date.now() - 60_000, limit: 1 }))
}

/** AWS rejects an empty range after it has checked the permission; a rejected request costs nothing. */
export const probeCosts = async ({ aws, account, region, findings }: ProbeTarget) => {
  const costs = await aws.client('costs', account, region)
  const today = new Date().toISOString().slice(0, 10)
  const TimePeriod = { Start: today, End: today }
  const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10)
  const probe = (action: string): Probe => ({ action, capability: 'costs', region, infers: true })
  await attempt(findings, probe('ce:GetCostAndUsage'), () =>
    costs.getCostAndUsage({ TimePeriod, Granularity: 'DAILY', Metrics: ['UnblendedCost'] }))
  await attempt(findings, probe('ce:GetCostForecast'), () =>
    costs.getCostForecast({ TimePeriod, Granularity: 'DAILY', Metric: 'UNBLENDED_COST' }))
  await attempt(findings, { ...probe('ce:GetAnomalies'), capability: null }, () =>
    costs.getAnomalies({ DateInterval: { StartDate: today, EndDate: yesterday }, MaxResults: 1 }))
  // Only the choice of a tag's key needs it.
  await attempt(findings, { ...probe('ce:GetTags'), capability: null }, () => costs.getTags({ TimePeriod }))
}
