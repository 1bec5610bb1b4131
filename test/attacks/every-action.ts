import { ApplicationAutoScaling } from '@aws-sdk/client-application-auto-scaling'
import { CloudWatchLogs } from '@aws-sdk/client-cloudwatch-logs'
import { CostExplorer } from '@aws-sdk/client-cost-explorer'
import { ECS } from '@aws-sdk/client-ecs'
import { Lambda } from '@aws-sdk/client-lambda'
import { STS } from '@aws-sdk/client-sts'
import { roleArn } from '../routes/infrastructure/role-account.js'

/** What a stolen client holds: enough to make any other client. */
export interface Stolen {
  credentials: () => Promise<{ accessKeyId: string, secretAccessKey: string }>
  endpoint: string
}

const clientsOf = ({ credentials, endpoint }: Stolen) => {
  const config = { credentials, endpoint, region: 'eu-west-1', maxAttempts: 1, disableHostPrefix: true }
  return {
    ecs: new ECS(config),
    autoscaling: new ApplicationAutoScaling(config),
    lambda: new Lambda(config),
    logs: new CloudWatchLogs(config),
    costs: new CostExplorer(config),
    sts: new STS(config)
  }
}
type Clients = ReturnType<typeof clientsOf>

export const definition = (family: string, roles: object = {}) =>
  ({ family, containerDefinitions: [{ name: 'web', image: 'web:1' }], ...roles })

const target = (service: string): Parameters<ApplicationAutoScaling['registerScalableTarget']>[0] => ({
  ServiceNamespace: 'ecs',
  ScalableDimension: 'ecs:service:DesiredCount',
  ResourceId: `service/prod/${service}`,
  MinCapacity: 1,
  MaxCapacity: 9
})
const deploymentOf = (service: string) =>
  `arn:aws:ecs:eu-west-1:123456789012:service-deployment/prod/${service}/somethingElse00000000`
const days = { TimePeriod: { Start: '2026-11-01', End: '2026-11-02' } }

const reads = ({ ecs, autoscaling, lambda, logs, costs }: Clients): Record<string, () => Promise<unknown>> => ({
  'ecs:ListClusters': () => ecs.listClusters({}),
  'ecs:DescribeClusters': () => ecs.describeClusters({ clusters: ['prod'] }),
  'ecs:ListServices': () => ecs.listServices({ cluster: 'prod' }),
  'ecs:DescribeServices web': () => ecs.describeServices({ cluster: 'prod', services: ['web'] }),
  'ecs:DescribeServices search': () => ecs.describeServices({ cluster: 'prod', services: ['search'] }),
  'ecs:DescribeServices api': () => ecs.describeServices({ cluster: 'prod', services: ['api'] }),
  'ecs:ListTasks': () => ecs.listTasks({ cluster: 'prod' }),
  'ecs:DescribeTasks': () => ecs.describeTasks({ cluster: 'prod', tasks: ['0123456789abcdef0123456789abcdef'] }),
  'ecs:DescribeTaskDefinition': () => ecs.describeTaskDefinition({ taskDefinition: 'web' }),
  'ecs:ListTaskDefinitions': () => ecs.listTaskDefinitions({}),
  'ecs:ListServiceDeployments': () => ecs.listServiceDeployments({ cluster: 'prod', service: 'web' }),
  'ecs:DescribeServiceDeployments': () =>
    ecs.describeServiceDeployments({ serviceDeploymentArns: [deploymentOf('web')] }),
  'ecs:DescribeServiceRevisions': () => ecs.describeServiceRevisions({ serviceRevisionArns: [deploymentOf('web')] }),
  'application-autoscaling:DescribeScalableTargets': () =>
    autoscaling.describeScalableTargets({ ServiceNamespace: 'ecs' }),
  'lambda:ListFunctions': () => lambda.listFunctions({}),
  'lambda:GetFunction': () => lambda.getFunction({ FunctionName: 'echo' }),
  'lambda:GetFunctionConfiguration': () => lambda.getFunctionConfiguration({ FunctionName: 'echo' }),
  'logs:FilterLogEvents': () => logs.filterLogEvents({ logGroupName: '/ecs/web' }),
  'logs:DescribeLogGroups': () => logs.describeLogGroups({}),
  'ce:GetCostAndUsage': () => costs.getCostAndUsage({ ...days, Granularity: 'DAILY', Metrics: ['UnblendedCost'] }),
  'ce:GetCostForecast': () => costs.getCostForecast({ ...days, Granularity: 'DAILY', Metric: 'UNBLENDED_COST' }),
  'ce:GetAnomalies': () => costs.getAnomalies({ DateInterval: { StartDate: '2026-11-01' } }),
  'ce:GetTags': () => costs.getTags(days)
})

const changes = ({ ecs, autoscaling, lambda, logs, sts }: Clients): Record<string, () => Promise<unknown>> => ({
  'ecs:UpdateService web': () => ecs.updateService({ cluster: 'prod', service: 'web' }),
  'ecs:UpdateService search': () => ecs.updateService({ cluster: 'prod', service: 'search', desiredCount: 0 }),
  'ecs:UpdateService api': () => ecs.updateService({ cluster: 'prod', service: 'api' }),
  'ecs:UpdateService staging': () => ecs.updateService({ cluster: 'staging', service: 'web', desiredCount: 0 }),
  'ecs:StopServiceDeployment web': () => ecs.stopServiceDeployment({ serviceDeploymentArn: deploymentOf('web') }),
  'ecs:StopServiceDeployment search': () => ecs.stopServiceDeployment({ serviceDeploymentArn: deploymentOf('search') }),
  'ecs:StopTask': () => ecs.stopTask({ cluster: 'prod', task: '0123456789abcdef0123456789abcdef' }),
  'ecs:RegisterTaskDefinition web': () => ecs.registerTaskDefinition(definition('web')),
  'ecs:RegisterTaskDefinition search': () => ecs.registerTaskDefinition(definition('search')),
  'iam:PassRole admin': () => ecs.registerTaskDefinition(
    definition('web', { taskRoleArn: 'arn:aws:iam::123456789012:role/Administrator' })),
  'ecs:TagResource search': () => ecs.tagResource({
    resourceArn: 'arn:aws:ecs:eu-west-1:123456789012:service/prod/search', tags: [{ key: 'a', value: 'b' }]
  }),
  'ecs:DeregisterTaskDefinition': () => ecs.deregisterTaskDefinition({ taskDefinition: 'web:1' }),
  'ecs:CreateCluster': () => ecs.createCluster({ clusterName: 'mine' }),
  'ecs:CreateService': () => ecs.createService({ cluster: 'prod', serviceName: 'mine', taskDefinition: 'web' }),
  'ecs:DeleteService': () => ecs.deleteService({ cluster: 'prod', service: 'web', force: true }),
  'application-autoscaling:RegisterScalableTarget api': () => autoscaling.registerScalableTarget(target('api')),
  'application-autoscaling:RegisterScalableTarget search': () => autoscaling.registerScalableTarget(target('search')),
  'application-autoscaling:DeregisterScalableTarget': () => autoscaling.deregisterScalableTarget(target('api')),
  'lambda:InvokeFunction echo': () => lambda.invoke({ FunctionName: 'echo' }),
  'lambda:InvokeFunction order-webhook': () => lambda.invoke({ FunctionName: 'order-webhook' }),
  'lambda:InvokeFunction order-webhook:live': () => lambda.invoke({ FunctionName: 'order-webhook', Qualifier: 'live' }),
  'lambda:UpdateFunctionCode pdf-render': () =>
    lambda.updateFunctionCode({ FunctionName: 'pdf-render', ImageUri: 'x:1' }),
  'lambda:UpdateFunctionCode echo': () => lambda.updateFunctionCode({ FunctionName: 'echo', ImageUri: 'x:1' }),
  'lambda:PublishVersion': () => lambda.publishVersion({ FunctionName: 'echo' }),
  'lambda:UpdateAlias': () => lambda.updateAlias({ FunctionName: 'order-webhook', Name: 'live', FunctionVersion: '1' }),
  'logs:CreateLogGroup': () => logs.createLogGroup({ logGroupName: '/mine' }),
  'sts:AssumeRole': () => sts.assumeRole({ RoleArn: roleArn, RoleSessionName: 'again' })
})

/** How a call ended: a refusal of the permission is `denied`. */
const endOf = async (call: () => Promise<unknown>): Promise<string> => {
  try {
    await call()
    return 'done'
  } catch (error) {
    const { name } = Object(error)
    return /^AccessDenied/.test(name) ? 'denied' : `passed the check: ${name}`
  }
}

/**
 * Tries every action of the account's policies, and of others, with the credentials of a client.
 * @param approved what the session is for: the write itself shows that it may
 * @returns how many were denied, and what else came of the others
 */
export const tryEverything = async (stolen: Stolen, approved: readonly string[], isRead = false) => {
  const clients = clientsOf(stolen)
  const calls = { ...isRead ? {} : reads(clients), ...changes(clients) }
  const tried = Object.entries(calls).filter(([name]) => !approved.includes(name))
  const ends: [string, string][] = []
  for (const [name, call] of tried) ends.push([name, await endOf(call)])
  return {
    denied: ends.filter(([, end]) => end === 'denied').length,
    others: ends.filter(([, end]) => end !== 'denied')
  }
}

/** @returns what the client of a write holds. It is the SDK's own, whatever the service. */
export const steal = async (client: { config: unknown }): Promise<Stolen> => {
  const { credentials, endpoint } = client.config as {
    credentials: Stolen['credentials'], endpoint: () => Promise<{ protocol: string, hostname: string, port?: number }>
  }
  const { protocol, hostname, port } = await endpoint()
  return { credentials, endpoint: `${protocol}//${hostname}:${port}` }
}
