import type { ECS } from '@aws-sdk/client-ecs'
import type { FastifyInstance } from 'fastify'
import type { AccountRow } from '../../../db/cloud/accounts.js'
import { attempt, skip, type Findings, type Probe } from './probe.js'

type Deps = Pick<FastifyInstance, 'aws'>

/** No service is called so; were there one, an update without arguments changes nothing. */
const nobody = 'steward-permission-probe'

const probeTasks = async (ecs: ECS, cluster: string, findings: Findings, read: (action: string) => Probe) => {
  const tasks = await attempt(findings, read('ecs:ListTasks'), () => ecs.listTasks({ cluster, maxResults: 1 }))
  const task = tasks?.taskArns?.[0]
  if (!task) return skip(findings, read('ecs:DescribeTasks'), 'The cluster has no task to look at')
  await attempt(findings, read('ecs:DescribeTasks'), () => ecs.describeTasks({ cluster, tasks: [task] }))
}

const probeService = async (ecs: ECS, cluster: string, findings: Findings, read: (action: string) => Probe) => {
  const list = await attempt(findings, read('ecs:ListServices'), () => ecs.listServices({ cluster, maxResults: 1 }))
  const arn = list?.serviceArns?.[0]
  const needService = ['ecs:DescribeServices', 'ecs:DescribeTaskDefinition', 'ecs:ListServiceDeployments']
  if (!arn) {
    for (const action of needService) skip(findings, read(action), 'The cluster has no service to look at')
    return
  }
  const found = await attempt(findings, read('ecs:DescribeServices'), () =>
    ecs.describeServices({ cluster, services: [arn] }))
  const definition = found?.services?.[0]?.taskDefinition
  if (definition) {
    await attempt(findings, read('ecs:DescribeTaskDefinition'), () =>
      ecs.describeTaskDefinition({ taskDefinition: definition }))
  } else skip(findings, read('ecs:DescribeTaskDefinition'), 'No task definition is known')
  await attempt(findings, read('ecs:ListServiceDeployments'), () =>
    ecs.listServiceDeployments({ cluster, service: arn, maxResults: 1 }))
}

const needCluster = ['ecs:DescribeClusters', 'ecs:ListServices', 'ecs:DescribeServices', 'ecs:ListTasks',
  'ecs:DescribeTasks', 'ecs:DescribeTaskDefinition', 'ecs:ListServiceDeployments']

/** Reads what is there, and tries to update a service that is not: nothing changes. */
export const probeContainers = async ({ aws }: Deps, account: AccountRow, region: string, findings: Findings) => {
  const ecs = await aws.client('ecs', account, region)
  const writer = await aws.client('ecs', account, region, 'write')
  const read = (action: string): Probe => ({ action, capability: 'containers_read', region })
  const write = (action: string): Probe => ({ action, capability: 'containers_write', region, infers: true })
  for (const action of ['ecs:RegisterTaskDefinition', 'iam:PassRole']) {
    skip(findings, write(action), 'Cannot be tried without leaving a revision behind')
  }
  const list = await attempt(findings, read('ecs:ListClusters'), () => ecs.listClusters({ maxResults: 1 }))
  const cluster = list?.clusterArns?.[0]
  if (!cluster) {
    for (const action of needCluster) skip(findings, read(action), 'The region has no cluster to look at')
    return skip(findings, write('ecs:UpdateService'), 'The region has no cluster to look at')
  }
  await attempt(findings, read('ecs:DescribeClusters'), () => ecs.describeClusters({ clusters: [cluster] }))
  await Promise.all([
    probeService(ecs, cluster, findings, read),
    probeTasks(ecs, cluster, findings, read),
    attempt(findings, write('ecs:UpdateService'), () => writer.updateService({ cluster, service: nobody }))
  ])
}

export const probeAutoscaling = async ({ aws }: Deps, account: AccountRow, region: string, findings: Findings) => {
  const client = await aws.client('autoscaling', account, region)
  const action = 'application-autoscaling:DescribeScalableTargets'
  await attempt(findings, { action, capability: 'containers_read', region }, () =>
    client.describeScalableTargets({ ServiceNamespace: 'ecs', MaxResults: 1 }))
}
