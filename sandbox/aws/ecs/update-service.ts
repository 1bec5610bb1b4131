import type { UpdateServiceRequest, UpdateServiceResponse } from '@aws-sdk/client-ecs'
import { AwsError, invalid } from '../core/errors.js'
import { operation, type Call } from '../core/operation.js'
import type { Wire } from '../core/wire.js'
import { findTaskDefinition, needCluster, needService, serviceArn, type ServicePlace } from './lookup.js'
import { deploy, primaryOf } from './rollout.js'
import { wake } from './scheduler.js'
import type { ServiceState } from './state.js'
import { viewService } from './views.js'

export const updateOperations = {
  UpdateService: operation('ecs:UpdateService', updateService,
    ({ region, input }) => serviceArn(region, input.cluster, input.service))
}

function updateService ({ world, account, region, input }: Call<UpdateServiceRequest>): Wire<UpdateServiceResponse> {
  const cluster = needCluster(region, input.cluster)
  const service = needService(cluster, input.service)
  if (service.status !== 'ACTIVE') throw new AwsError('ServiceNotActiveException', 'Service was not ACTIVE.')
  const place = { world, account, region, cluster, service }
  const target = check(place, input)
  applySettings(service, input)
  if (startsDeployment(service, input, target)) deploy(place, target)
  wake(place)
  return { service: viewService(service, ['TAGS']) }
}

/** Refuses what AWS refuses, before anything is changed. Returns the task definition to run. */
function check ({ region, service }: ServicePlace, input: UpdateServiceRequest): string {
  if (input.desiredCount !== undefined) checkCount(service, input.desiredCount)
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

function checkCount (service: ServiceState, count: number): void {
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

/** A count alone starts none, and neither does the task definition that runs already. */
function startsDeployment (service: ServiceState, input: UpdateServiceRequest, target: string): boolean {
  return input.forceNewDeployment === true || target !== primaryOf(service).taskDefinition ||
    input.networkConfiguration !== undefined || input.platformVersion !== undefined
}
