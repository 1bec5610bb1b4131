import type { UpdateServiceRequest, UpdateServiceResponse } from '@aws-sdk/client-ecs'
import { AwsError, invalid } from '../core/errors.js'
import { operation, type Call } from '../core/operation.js'
import type { Wire } from '../core/wire.js'
import { findTaskDefinition, requireCluster, requireService, serviceArn, type ServiceContext } from './lookup.js'
import { deploy, primaryOf } from './rollout.js'
import { wake } from './scheduler.js'
import type { ServiceState } from './state.js'
import { viewService } from './views.js'

export const updateOperations = {
  UpdateService: operation('ecs:UpdateService', updateService,
    ({ region, input }) => serviceArn(region, input.cluster, input.service))
}

function updateService ({ world, account, region, input }: Call<UpdateServiceRequest>): Wire<UpdateServiceResponse> {
  const cluster = requireCluster(region, input.cluster)
  const service = requireService(cluster, input.service)
  if (service.status !== 'ACTIVE') throw new AwsError('ServiceNotActiveException', 'Service was not ACTIVE.')
  const context = { world, account, region, cluster, service }
  const target = parseTarget(context, input)
  applySettings(service, input)
  if (startsDeployment(service, input, target)) deploy(context, target)
  wake(context)
  return { service: viewService(service, ['TAGS']) }
}

/** Validates the request before any change. Returns the task definition to run. */
function parseTarget ({ region, service }: ServiceContext, input: UpdateServiceRequest): string {
  if (input.desiredCount !== undefined) requireCount(service, input.desiredCount)
  const blocked = service.controller === 'CODE_DEPLOY' && (input.taskDefinition ?? input.forceNewDeployment)
  if (blocked) {
    throw invalid('Unable to update task definition on services with a CODE_DEPLOY deployment controller. ' +
      'Use AWS CodeDeploy to trigger a new deployment.')
  }
  if (input.taskDefinition === undefined) return primaryOf(service).taskDefinition
  const definition = findTaskDefinition(region, input.taskDefinition)
  if (!definition) throw new AwsError('ClientException', 'TaskDefinition not found.')
  if (definition.body['status'] !== 'ACTIVE') throw new AwsError('ClientException', 'TaskDefinition is inactive')
  return definition.arn
}

function requireCount (service: ServiceState, count: number): void {
  if (service.scheduling === 'DAEMON') {
    throw invalid('The daemon scheduling strategy does not support a desired count for services. ' +
      'Remove a desired count value and try again')
  }
  if (!Number.isInteger(count) || count < 0) throw invalid('desiredCount cannot be negative.')
  if (count > 5000) throw invalid('desiredCount must be at most 5000.')
}

function applySettings (service: ServiceState, input: UpdateServiceRequest): void {
  service.desiredCount = input.desiredCount ?? service.desiredCount
  service.configuration = { ...service.configuration, ...input.deploymentConfiguration }
  service.network = input.networkConfiguration ?? service.network
  service.platformVersion = input.platformVersion ?? service.platformVersion
  service.healthCheckGraceSeconds = input.healthCheckGracePeriodSeconds ?? service.healthCheckGraceSeconds
  service.executeCommand = input.enableExecuteCommand ?? service.executeCommand
}

/** A new count alone starts no deployment, and neither does the current task definition. */
function startsDeployment (service: ServiceState, input: UpdateServiceRequest, target: string): boolean {
  return input.forceNewDeployment === true || target !== primaryOf(service).taskDefinition ||
    input.networkConfiguration !== undefined || input.platformVersion !== undefined
}
