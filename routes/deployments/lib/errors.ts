import { defineError } from '../../../schemas/errors.js'

export { AccountReadOnly, awsErrors, ImageNotFound } from '../../../schemas/cloud/errors.js'

export const AppNameTaken = defineError('app_name_taken', 'Another app has this name', 409)
export const AppBusy = defineError('app_busy', 'A build of the app is queued or runs', 409)
export const BuildFinished = defineError('build_finished', 'The build has ended', 409)
export const BuildNotDeployable = defineError('build_not_deployable',
  'Only a build that succeeded can be deployed again', 409)
export const QueueFull = defineError('build_queue_full', 'Too many builds of the app wait', 409)
export const AmbiguousIdentifier = defineError('ambiguous_identifier', 'More than one resource has this name', 409)
export const TargetNotFound = defineError('target_not_found', 'There is no such service or function', 422)
export const TargetUnsupported = defineError('target_unsupported', 'Builds cannot be deployed to this target', 422)
export const ContainerUnknown = defineError('container_unknown', 'It is not clear which container is meant', 422)
export const ImageMissing = defineError('image_missing', 'Neither the app nor the request names an image', 422)
