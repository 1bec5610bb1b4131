import { defineError, StateChanged, TargetBusy } from '../../../schemas/errors.js'

export { awsErrors, CloudAccountNotFound, ImageNotFound, NameUnresolved } from '../../../schemas/cloud/errors.js'

/** What every write answers that compares its target with what was approved, as the only one that changes it. */
export const writeErrors = [StateChanged, TargetBusy]

export const ClusterNotFound = defineError('cluster_not_found', 'There is no such cluster', 404)
export const ServiceNotFound = defineError('service_not_found', 'There is no such service', 404)
export const AmbiguousIdentifier = defineError('ambiguous_identifier', 'More than one resource has this name', 409)
export const AutoscalingConflict = defineError('autoscaling_conflict', 'Autoscaling manages this count', 409)
export const AutoscalingUnknown = defineError('autoscaling_unknown',
  'Whether autoscaling manages this count could not be read; say autoscaling: ignore to set it all the same', 409)
export const NotScalable = defineError('not_scalable', 'The service has no count to set', 409)
export const NotDeployable = defineError('not_deployable', 'The service cannot be deployed through ECS', 409)
export const DeploymentConflict = defineError('deployment_conflict', 'The service does not run what was expected', 409)
export const DeploymentInProgress = defineError('deployment_in_progress', 'A deployment of the service is live', 409)
export const DeploymentNotFound = defineError('deployment_not_found', 'There is no such deployment of the service', 404)
export const DeploymentFinished = defineError('deployment_finished', 'The deployment has ended', 409)
export const DeploymentNotCancellable = defineError('deployment_not_cancellable',
  'ECS has no way to stop this deployment', 409)
export const NothingToDeploy = defineError('nothing_to_deploy', 'This runs already', 409)
export const ContainerUnknown = defineError('container_unknown', 'It is not clear which container is meant', 422)
export const NoRollbackTarget = defineError('no_rollback_target', 'There is nothing to go back to', 409)
export const FunctionNotFound = defineError('function_not_found', 'There is no such function', 404)
export const FunctionNotDeployable = defineError('function_not_deployable',
  'The function is made of an archive, not of a container image', 409)
export const FunctionUpdateInProgress = defineError('function_update_in_progress',
  'Another change of the function is in progress', 409)
export const FunctionChanged = defineError('function_changed', 'The function is at another revision by now', 409)
export const QualifierInName = defineError('qualifier_in_name', 'A version or alias goes into `qualifier`', 422)
export const InvocationUnknown = defineError('invocation_outcome_unknown',
  'The function may still be running; it was not invoked again', 504)
export const InvocationLimited = defineError('invocation_limited',
  'The function is at its limit of concurrent runs', 429)
export const RangeInvalid = defineError('range_invalid', 'The range of time cannot be asked for', 422)
