import type { CapabilityName } from '../../../schemas/cloud/accounts.js'
import { attempt, skip, type Probe, type ProbeTarget } from './probe.js'

const writes = ({ region, unknownId }: ProbeTarget, capability: CapabilityName | null) => (action: string): Probe =>
  ({ action, capability, region, infers: true, resource: unknownId })

/**
 * A container without name and image makes no revision; other servers do make one of an empty list. AWS asks for
 * iam:PassRole when a role is named, so a second request with one shows whether that is denied.
 */
const probeRegistration = async (target: ProbeTarget) => {
  const { aws, account, region, findings, unknownId, number } = target
  const ecs = await aws.client('ecs', account, region, 'write')
  const write = writes(target, 'containers_write')
  const registration = { family: unknownId, containerDefinitions: [{}] }
  await attempt(findings, write('ecs:RegisterTaskDefinition'), () => ecs.registerTaskDefinition(registration))
  const isDenied = findings.denials.some(({ check }) =>
    check.region === region && check.action === 'ecs:RegisterTaskDefinition')
  if (isDenied) return skip(findings, write('iam:PassRole'), 'Needs ecs:RegisterTaskDefinition to be tried')
  const taskRoleArn = `arn:${account.partition}:iam::${number}:role/${unknownId}`
  await attempt(findings, { ...write('iam:PassRole'), resource: taskRoleArn }, () =>
    ecs.registerTaskDefinition({ ...registration, taskRoleArn }))
}

const probeService = async (target: ProbeTarget) => {
  const { aws, account, region, findings, unknownId, number } = target
  const ecs = await aws.client('ecs', account, region, 'write')
  const write = writes(target, 'containers_write')
  const resourceArn = `arn:${account.partition}:ecs:${region}:${number}:task-definition/${unknownId}:1`
  const serviceDeploymentArn =
    `arn:${account.partition}:ecs:${region}:${number}:service-deployment/${unknownId}/${unknownId}/${unknownId}`
  await Promise.all([
    attempt(findings, write('ecs:UpdateService'), () => ecs.updateService({ cluster: unknownId, service: unknownId })),
    attempt(findings, { ...write('ecs:StopServiceDeployment'), resource: serviceDeploymentArn }, () =>
      ecs.stopServiceDeployment({ serviceDeploymentArn })),
    attempt(findings, { ...write('ecs:TagResource'), resource: resourceArn }, () =>
      ecs.tagResource({ resourceArn, tags: [] }))
  ])
}

const probeBounds = async (target: ProbeTarget) => {
  const { aws, account, region, findings, unknownId } = target
  const client = await aws.client('autoscaling', account, region, 'write')
  const resource = `service/${unknownId}/${unknownId}`
  const probe = writes(target, null)('application-autoscaling:RegisterScalableTarget')
  await attempt(findings, { ...probe, resource }, () => client.registerScalableTarget({
    ServiceNamespace: 'ecs',
    ScalableDimension: 'ecs:service:DesiredCount',
    ResourceId: resource,
    // No range at all, so that it is refused also where the service is not looked for.
    MinCapacity: 1,
    MaxCapacity: 0
  }))
}

const probeFunction = async (target: ProbeTarget) => {
  const { aws, account, region, findings, unknownId, number } = target
  const lambda = await aws.client('lambda', account, region, 'write')
  await Promise.all([
    attempt(findings, writes(target, 'serverless_invoke')('lambda:InvokeFunction'), () =>
      lambda.invoke({ FunctionName: unknownId, InvocationType: 'DryRun' })),
    attempt(findings, writes(target, null)('lambda:UpdateFunctionCode'), () =>
      lambda.updateFunctionCode({
        FunctionName: unknownId, DryRun: true, ImageUri: `${number}.dkr.ecr.${region}.amazonaws.com/${unknownId}:1`
      }))
  ])
}

/** Tries what changes things, each on a name that no resource has. */
export const probeWrites = async (target: ProbeTarget): Promise<void> => {
  await Promise.all([probeRegistration, probeService, probeBounds, probeFunction].map((probe) => probe(target)))
}
