import type { CapabilityName } from '../../../../schemas/cloud/accounts.js'
import {
  allow, allowPass, ecsArn, functionArn, revisionsArn, scalableTargetArn
} from '../../../../lib/aws/session-policy.js'
import { attempt, skip, type Probe, type ProbeTarget } from './probe.js'

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

const probeService = (target: ProbeTarget): Promise<unknown> => {
  const { aws, findings, unknownId } = target
  const write = writes(target, 'containers_write')
  const resourceArn = `${ecsArn(target, 'task-definition', unknownId)}:1`
  const serviceDeploymentArn = ecsArn(target, 'service-deployment', unknownId, unknownId, unknownId)
  const allowed = [
    allow(['ecs:UpdateService', 'ecs:StopServiceDeployment'], ecsArn(target, 'service', unknownId, unknownId),
      serviceDeploymentArn),
    allow('ecs:TagResource', resourceArn)
  ]
  return aws.write('ecs', target, allowed, (ecs) => Promise.all([
    attempt(findings, write('ecs:UpdateService'), () => ecs.updateService({ cluster: unknownId, service: unknownId })),
    attempt(findings, { ...write('ecs:StopServiceDeployment'), resource: serviceDeploymentArn }, () =>
      ecs.stopServiceDeployment({ serviceDeploymentArn })),
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
  const allowed = [allow(['lambda:InvokeFunction', 'lambda:UpdateFunctionCode'], functionArn(target, unknownId))]
  const image = `${number}.dkr.ecr.${region}.amazonaws.com/${unknownId}:1`
  return aws.write('lambda', target, allowed, (lambda) => Promise.all([
    attempt(findings, writes(target, 'serverless_invoke')('lambda:InvokeFunction'), () =>
      lambda.invoke({ FunctionName: unknownId, InvocationType: 'DryRun' })),
    attempt(findings, writes(target, null)('lambda:UpdateFunctionCode'), () =>
      lambda.updateFunctionCode({ FunctionName: unknownId, DryRun: true, ImageUri: image }))
  ]))
}

/** Tries what changes things, each on a name that no resource has, in sessions that may do no more than that. */
export const probeWrites = async (target: ProbeTarget): Promise<void> => {
  if (target.account.read_only) {
    return skip(target.findings, writes(target, null)('*'), 'The account is read-only here: writes are not tried')
  }
  await Promise.all<unknown>([probeRegistration, probeService, probeBounds, probeFunction]
    .map((probe) => probe(target)))
}
