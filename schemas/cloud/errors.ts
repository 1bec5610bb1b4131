import { Type, type Static } from '@sinclair/typebox'
import { Nullable, Words } from '../common.js'
import { defineError, type ErrorDefinition } from '../errors.js'

export const ImageCheck = Type.Object({
  image: Type.String(),
  state: Words(['found', 'missing', 'unchecked'] as const, {
    description: 'unchecked: `why` says what kept the registry from being asked'
  }),
  digest: Nullable(Type.String({ description: 'What the registry has under this name now' })),
  why: Nullable(Type.String({ description: 'Why it is missing or unchecked' }))
}, { $id: 'ImageCheck', description: 'What its registry says of an image' })
export type ImageCheck = Static<typeof ImageCheck>

export const AwsPermissionDenied = defineError('aws_permission_denied', 'AWS denied the account this action', 403)
export const AwsKeyDenied = defineError('aws_key_denied', 'A KMS key of the resource may not be used', 409)
export const AwsNotEnabled = defineError('aws_not_enabled', 'The AWS account has not switched this on', 409)
export const CloudAccountNotFound = defineError('cloud_account_not_found', 'There is no such cloud account', 404)
export const AwsNotFound = defineError('aws_resource_not_found', 'AWS has no such resource', 404)
export const AwsConflict = defineError('aws_conflict', 'The resource is in a state that does not allow this', 409)
export const AwsUnsupported = defineError('unsupported', 'AWS does not support this here', 409)
export const AwsRejected = defineError('aws_rejected', 'AWS refused the request as not valid', 422)
export const AwsTooLarge = defineError('aws_too_large', 'The request is too large for AWS', 413)
export const AccountUnusable = defineError('cloud_account_unusable',
  'The credentials of the cloud account do not work', 424)
export const AccountReadOnly = defineError('cloud_account_read_only',
  'The cloud account is read-only here: nothing is changed through it', 403)
export const AwsError = defineError('aws_error', 'AWS answered with an error of its own', 502)
export const AwsUnreachable = defineError('aws_unreachable', 'AWS could not be reached', 502)
export const AwsThrottled = defineError('aws_throttled', 'AWS limits how often this may be asked', 503)
export const AwsTimeout = defineError('aws_timeout', 'AWS did not answer in time', 504)
export const AwsOutcomeUnknown = defineError('aws_outcome_unknown', 'AWS may have done it, and did not say so', 504)
export const CloudSessionUnavailable = defineError('cloud_session_unavailable',
  'AWS gave no session for this change, so nothing was sent', 503)
export const NameUnresolved = defineError('name_unresolved', 'A source that may know the name does not answer', 503)

export const ImageNotFound = defineError('image_not_found', 'The registry does not have this image', 422)

/** What every operation that asks AWS may answer; name_unresolved where it takes a bare name. */
export const awsErrors: ErrorDefinition[] = [AwsPermissionDenied, AwsKeyDenied, AwsNotEnabled, AwsNotFound,
  AwsConflict, AwsUnsupported, AwsRejected, AwsTooLarge, AccountUnusable, AccountReadOnly, AwsError, AwsUnreachable,
  AwsThrottled, AwsTimeout, AwsOutcomeUnknown, CloudSessionUnavailable, NameUnresolved]
