import { randomBytes } from 'node:crypto'
import type { ECS, ServiceDeploymentBrief } from '@aws-sdk/client-ecs'
import type { AccountRow } from '../../../../db/cloud/accounts.js'
import { awsDetailOf } from '../../../../lib/aws/errors.js'
import {
  allow, allowPass, ecsArn, functionArn, projectArn, revisionsArn, scalableTargetArn
} from '../../../../lib/aws/sessions.js'
import type { ActingAws } from '../../../../lib/aws/account-clients.js'
import type { AccountCheck } from '../../../../schemas/cloud/account-test.js'
import type { CapabilityName } from '../../../../schemas/cloud/accounts.js'
import { ApiError } from '../../../../schemas/errors.js'

/** One action to try. `infers`: AWS's refusal of the arguments shows that the action itself is allowed. */
interface Probe {
  action: string
  capability: CapabilityName | null
  region: string
  infers?: boolean
  resource?: string
}

export interface Findings { checks: AccountCheck[], denials: { check: AccountCheck, error: ApiError }[] }

/** With what, and where, a probe calls AWS. */
interface ProbeTarget {
  aws: ActingAws
  account: AccountRow
  region: string
  findings: Findings
  /** The resource that every write of a probe names; it does not exist. */
  unknownId: string
  /** The number of the AWS account, as STS returned it. */
  number: string
}

/**
 * Well formed, so that AWS checks the permission before it looks for the resource; 128 random bits, so that no
 * resource has the name. An endpoint that ignores DryRun, or that skips its checks, has nothing of this name to change.
 */
export const makeUnknownId = (): string => `steward-probe-${randomBytes(16).toString('hex')}`

const otherRefusals = new Set(['aws_rejected', 'aws_resource_not_found', 'aws_conflict'])

const checkOf = ({ action, capability, region, resource }: Probe, rest: Partial<AccountCheck>): AccountCheck => ({
  id: `${region}/${action}`,
  action,
  capability,
  region,
  outcome: 'skipped',
  resource: resource ?? null,
  detail: null,
  aws_code: null,
  aws_request_id: null,
  ...rest
})

/** An endpoint that does not know the operation has not looked at the permission. */
const unknownOperation = /^(UnknownOperation|InvalidAction|UnknownService|NotImplemented)/

/** Only a refusal is "denied": a time-out or a disabled region says nothing of permissions. */
const outcomeOf = (error: ApiError, infers: boolean): AccountCheck['outcome'] => {
  if (error.code === 'aws_permission_denied') return 'denied'
  const aws = awsDetailOf(error)
  return infers && otherRefusals.has(error.code) && !unknownOperation.test(aws.code ?? '') ? 'inferred' : 'error'
}

/** Records an action that was not tried, and why. */
const skip = (findings: Findings, probe: Probe, detail: string): undefined => {
  findings.checks.push(checkOf(probe, { outcome: 'skipped', detail }))
  return undefined
}

const detailOf = (outcome: AccountCheck['outcome'], { resource }: Probe, error: ApiError): string => {
  if (outcome === 'inferred') return 'AWS refused the probe for another reason than permission'
  if (outcome !== 'denied' || resource === undefined) return error.message
  return `${error.message} It was tried on ${resource}, which does not exist: a policy that names its resources may ` +
    'allow it on those'
}

/** Tries one action. @returns what AWS answered; undefined when it did not */
export const attempt = async <T>(findings: Findings, probe: Probe, run: () => Promise<T>): Promise<T | undefined> => {
  try {
    const answer = await run()
    findings.checks.push(checkOf(probe, { outcome: 'allowed' }))
    return answer
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const aws = awsDetailOf(error)
    const outcome = outcomeOf(error, probe.infers ?? false)
    const check = checkOf(probe, {
      outcome,
      detail: detailOf(outcome, probe, error),
      aws_code: aws.code ?? null,
      aws_request_id: aws.request_id ?? null
    })
    findings.checks.push(check)
    if (outcome === 'denied') findings.denials.push({ check, error })
    return undefined
  }
}

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

/** A range that ends where it begins is refused after the permission was checked. */
export const probeMetrics = async ({ aws, account, region, findings, unknownId }: ProbeTarget) => {
  const cloudwatch = await aws.client('cloudwatch', account, region)
  const now = new Date()
  const Metric = { Namespace: 'AWS/ECS', MetricName: 'CPUUtilization', Dimensions: [{ Name: 'ClusterName', Value: unknownId }] }
  await Promise.all([
    attempt(findings, { action: 'cloudwatch:GetMetricData', capability: null, region, infers: true }, () => cloudwatch.getMetricData({
      StartTime: now, EndTime: now, MetricDataQueries: [{ Id: 'probe', MetricStat: { Metric, Period: 60, Stat: 'Average' } }]
    })),
    attempt(findings, { action: 'cloudwatch:DescribeAlarms', capability: null, region }, () =>
      cloudwatch.describeAlarms({ MaxRecords: 1 })),
    // Only the metrics of a load balancer need it.
    attempt(findings, { action: 'cloudwatch:ListMetrics', capability: null, region }, () => cloudwatch.listMetrics({
      Namespace: 'AWS/ApplicationELB', MetricName: 'RequestCount', Dimensions: [{ Name: 'TargetGroup', Value: unknownId }]
    }))
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

/** Only apps whose images CodeBuild makes need it. Projects and builds that are not there are no refusal. */
export const probeBuilds = async ({ aws, account, region, findings, unknownId }: ProbeTarget) => {
  const codebuild = await aws.client('codebuild', account, region)
  const probe = (action: string): Probe => ({ action, capability: null, region, infers: true, resource: unknownId })
  await Promise.all([
    attempt(findings, probe('codebuild:BatchGetProjects'), () => codebuild.batchGetProjects({ names: [unknownId] })),
    attempt(findings, probe('codebuild:BatchGetBuilds'), () => codebuild.batchGetBuilds({ ids: [`${unknownId}:${unknownId}`] })),
    attempt(findings, probe('codebuild:ListBuildsForProject'), () =>
      codebuild.listBuildsForProject({ projectName: unknownId }))
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

const writes = ({ region, unknownId }: ProbeTarget, capability: CapabilityName | null) => (action: string): Probe =>
  ({ action, capability, region, infers: true, resource: unknownId })

/**
 * A container without name and image makes no revision; other servers do make one of an empty list. AWS asks for
 * iam:PassRole when a role is named, so a second request with one shows whether that is denied.
 */
const probeRegistration = (target: ProbeTarget): Promise<void> => {
  const { aws, account, region, findings, unknownId, number } = target
  const write = writes(target, 'containers_write')
  const registration = { family: unknownId, containerDefinitions: [{}] }
  const taskRoleArn = `arn:${account.partition}:iam::${number}:role/${unknownId}`
  const allowed = [allow('ecs:RegisterTaskDefinition', revisionsArn(target, unknownId)), allowPass(taskRoleArn)]
  return aws.write('ecs', target, allowed, async (ecs) => {
    await attempt(findings, write('ecs:RegisterTaskDefinition'), () => ecs.registerTaskDefinition(registration))
    const isDenied = findings.denials.some(({ check }) =>
      check.region === region && check.action === 'ecs:RegisterTaskDefinition')
    if (isDenied) return skip(findings, write('iam:PassRole'), 'Needs ecs:RegisterTaskDefinition to be tried')
    await attempt(findings, { ...write('iam:PassRole'), resource: taskRoleArn }, () =>
      ecs.registerTaskDefinition({ ...registration, taskRoleArn }))
  })
}

const probeServiceWrites = (target: ProbeTarget): Promise<unknown> => {
  const { aws, findings, unknownId } = target
  const write = writes(target, 'containers_write')
  const resourceArn = `${ecsArn(target, 'task-definition', unknownId)}:1`
  const serviceDeploymentArn = ecsArn(target, 'service-deployment', unknownId, unknownId, unknownId)
  // The id of a task has 32 digits.
  const task = unknownId.slice(-32)
  const taskArn = ecsArn(target, 'task', unknownId, task)
  const allowed = [
    allow(['ecs:UpdateService', 'ecs:StopServiceDeployment'], ecsArn(target, 'service', unknownId, unknownId),
      serviceDeploymentArn),
    allow('ecs:TagResource', resourceArn),
    allow('ecs:StopTask', taskArn)
  ]
  return aws.write('ecs', target, allowed, (ecs) => Promise.all([
    attempt(findings, write('ecs:UpdateService'), () => ecs.updateService({ cluster: unknownId, service: unknownId })),
    attempt(findings, { ...write('ecs:StopServiceDeployment'), resource: serviceDeploymentArn }, () =>
      ecs.stopServiceDeployment({ serviceDeploymentArn })),
    attempt(findings, { ...write('ecs:StopTask'), capability: null, resource: taskArn }, () =>
      ecs.stopTask({ cluster: unknownId, task })),
    attempt(findings, { ...write('ecs:TagResource'), resource: resourceArn }, () =>
      ecs.tagResource({ resourceArn, tags: [] }))
  ]))
}

const probeBounds = (target: ProbeTarget): Promise<unknown> => {
  const { aws, findings, unknownId } = target
  const resource = `service/${unknownId}/${unknownId}`
  const action = 'application-autoscaling:RegisterScalableTarget'
  const allowed = [allow(action, scalableTargetArn(target, undefined))]
  return aws.write('autoscaling', target, allowed, (client) =>
    attempt(findings, { ...writes(target, null)(action), resource }, () => client.registerScalableTarget({
      ServiceNamespace: 'ecs',
      ScalableDimension: 'ecs:service:DesiredCount',
      ResourceId: resource,
      // No range at all, so that it is refused also where the service is not looked for.
      MinCapacity: 1,
      MaxCapacity: 0
    })))
}

const probeFunction = (target: ProbeTarget): Promise<unknown> => {
  const { aws, region, findings, unknownId, number } = target
  const allowed = [allow(['lambda:InvokeFunction', 'lambda:UpdateFunctionCode', 'lambda:PublishVersion', 'lambda:UpdateAlias'],
    functionArn(target, unknownId))]
  const image = `${number}.dkr.ecr.${region}.amazonaws.com/${unknownId}:1`
  return aws.write('lambda', target, allowed, (lambda) => Promise.all([
    attempt(findings, writes(target, 'serverless_invoke')('lambda:InvokeFunction'), () =>
      lambda.invoke({ FunctionName: unknownId, InvocationType: 'DryRun' })),
    attempt(findings, writes(target, null)('lambda:UpdateFunctionCode'), () =>
      lambda.updateFunctionCode({ FunctionName: unknownId, DryRun: true, ImageUri: image })),
    attempt(findings, writes(target, null)('lambda:PublishVersion'), () => lambda.publishVersion({ FunctionName: unknownId })),
    attempt(findings, writes(target, null)('lambda:UpdateAlias'), () =>
      lambda.updateAlias({ FunctionName: unknownId, Name: unknownId, FunctionVersion: '1' }))
  ]))
}

const probeBuildWrites = (target: ProbeTarget): Promise<unknown> => {
  const { aws, findings, unknownId } = target
  const allowed = [allow(['codebuild:StartBuild', 'codebuild:StopBuild'], projectArn(target, unknownId))]
  return aws.write('codebuild', target, allowed, (codebuild) => Promise.all([
    attempt(findings, writes(target, null)('codebuild:StartBuild'), () => codebuild.startBuild({ projectName: unknownId })),
    attempt(findings, writes(target, null)('codebuild:StopBuild'), () => codebuild.stopBuild({ id: `${unknownId}:${unknownId}` }))
  ]))
}

/** Tries what changes things, each on a name that no resource has, in sessions that may do no more than that. */
export const probeWrites = async (target: ProbeTarget): Promise<void> => {
  if (target.account.read_only) {
    return skip(target.findings, writes(target, null)('*'), 'The account is read-only here: writes are not tried')
  }
  await Promise.all<unknown>([probeRegistration, probeServiceWrites, probeBounds, probeFunction, probeBuildWrites]
    .map((probe) => probe(target)))
}
