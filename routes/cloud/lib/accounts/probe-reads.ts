import type { ECS, ServiceDeploymentBrief } from '@aws-sdk/client-ecs'
import { attempt, type Probe, type ProbeTarget } from './probe.js'

type Read = (action: string, isUnknown?: boolean) => Probe

/** @param isUnknown the probe names what does not exist: AWS checks the permission before it looks for it */
const containers = ({ region, unknownId }: ProbeTarget): Read => (action, isUnknown) =>
  ({ action, capability: 'containers_read', region, ...(isUnknown && { infers: true, resource: unknownId }) })

const probeTasks = async (ecs: ECS, cluster: string, { findings, unknownId }: ProbeTarget, read: Read) => {
  const isUnknown = cluster === unknownId
  const tasks = await attempt(findings, read('ecs:ListTasks', isUnknown), () =>
    ecs.listTasks({ cluster, maxResults: 1 }))
  const task = tasks?.taskArns?.[0]
  // The id of a task has 32 digits.
  await attempt(findings, read('ecs:DescribeTasks', task === undefined), () =>
    ecs.describeTasks({ cluster, tasks: [task ?? unknownId.slice(-32)] }))
}

const probeHistory = async (ecs: ECS, deployment: ServiceDeploymentBrief | undefined,
  { findings, account, region, number, unknownId }: ProbeTarget, read: Read) => {
  const unknown = (kind: string) =>
    `arn:${account.partition}:ecs:${region}:${number}:${kind}/${unknownId}/${unknownId}/${unknownId.slice(-16)}`
  const { serviceDeploymentArn: arn, targetServiceRevisionArn: revision } = deployment ?? {}
  await attempt(findings, read('ecs:DescribeServiceDeployments', arn === undefined), () =>
    ecs.describeServiceDeployments({ serviceDeploymentArns: [arn ?? unknown('service-deployment')] }))
  await attempt(findings, read('ecs:DescribeServiceRevisions', revision === undefined), () =>
    ecs.describeServiceRevisions({ serviceRevisionArns: [revision ?? unknown('service-revision')] }))
}

const probeService = async (ecs: ECS, cluster: string, target: ProbeTarget, read: Read) => {
  const { findings, unknownId } = target
  const list = await attempt(findings, read('ecs:ListServices', cluster === unknownId), () =>
    ecs.listServices({ cluster, maxResults: 1 }))
  const service = list?.serviceArns?.[0] ?? unknownId
  const isUnknown = service === unknownId
  const found = await attempt(findings, read('ecs:DescribeServices', isUnknown), () =>
    ecs.describeServices({ cluster, services: [service] }))
  const definition = found?.services?.[0]?.taskDefinition
  await attempt(findings, read('ecs:DescribeTaskDefinition', definition === undefined), () =>
    ecs.describeTaskDefinition({ taskDefinition: definition ?? unknownId }))
  const history = await attempt(findings, read('ecs:ListServiceDeployments', isUnknown), () =>
    ecs.listServiceDeployments({ cluster, service, maxResults: 1 }))
  await probeHistory(ecs, history?.serviceDeployments?.[0], target, read)
}

/** Every action is tried; where a region has no cluster, or a cluster no service, on one that does not exist. */
export const probeContainers = async (target: ProbeTarget) => {
  const { aws, account, region, findings, unknownId } = target
  const ecs = await aws.client('ecs', account, region)
  const read = containers(target)
  const list = await attempt(findings, read('ecs:ListClusters'), () => ecs.listClusters({ maxResults: 1 }))
  const cluster = list?.clusterArns?.[0] ?? unknownId
  await Promise.all([
    attempt(findings, read('ecs:DescribeClusters', cluster === unknownId), () =>
      ecs.describeClusters({ clusters: [cluster] })),
    probeService(ecs, cluster, target, read),
    probeTasks(ecs, cluster, target, read)
  ])
}

export const probeAutoscaling = async (target: ProbeTarget) => {
  const { aws, account, region, findings } = target
  const client = await aws.client('autoscaling', account, region)
  await attempt(findings, containers(target)('application-autoscaling:DescribeScalableTargets'), () =>
    client.describeScalableTargets({ ServiceNamespace: 'ecs', MaxResults: 1 }))
}

export const probeFunctions = async ({ aws, account, region, findings, unknownId }: ProbeTarget) => {
  const lambda = await aws.client('lambda', account, region)
  const list = await attempt(findings, { action: 'lambda:ListFunctions', capability: 'serverless_read', region }, () =>
    lambda.listFunctions({ MaxItems: 1 }))
  const FunctionName = list?.Functions?.[0]?.FunctionName ?? unknownId
  const read = (action: string, capability: Probe['capability']): Probe => ({
    action, capability, region, ...(FunctionName === unknownId && { infers: true, resource: unknownId })
  })
  await Promise.all([
    attempt(findings, read('lambda:GetFunctionConfiguration', 'serverless_read'), () =>
      lambda.getFunctionConfiguration({ FunctionName })),
    // Only the image of a function needs it.
    attempt(findings, read('lambda:GetFunction', null), () => lambda.getFunction({ FunctionName })),
    // Without it nobody is told which aliases keep their version.
    attempt(findings, read('lambda:ListAliases', null), () => lambda.listAliases({ FunctionName }))
  ])
}

/** AWS checks the permission before it looks for the repository. Only the check of an image before it is deployed needs it. */
export const probeImages = async ({ aws, account, region, findings, unknownId }: ProbeTarget) => {
  const probe = (action: string): Probe => ({ action, capability: null, region })
  await attempt(findings, { ...probe('ecr:DescribeImages'), infers: true, resource: unknownId }, () =>
    aws.askRegistry({ account, region }, 'DescribeImages', { repositoryName: unknownId, imageIds: [{ imageTag: 'latest' }] }))
  await attempt(findings, probe('ecr:DescribePullThroughCacheRules'), () =>
    aws.askRegistry({ account, region }, 'DescribePullThroughCacheRules', { maxResults: 1 }))
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
