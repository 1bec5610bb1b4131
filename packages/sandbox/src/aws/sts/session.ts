import type { AssumeRoleRequest } from '@aws-sdk/client-sts'
import { AwsError } from '../core/errors.js'
import type { Call } from '../core/operation.js'
import { parsePolicy } from '../core/policy.js'
import type { Role, Session } from '../core/world.js'

const MAX_TAGS = 50
const MAX_POLICY = 2048
/** STS packs policies and tags by a method of its own; this is near enough to refuse what it would. */
const PACKED_LIMIT = 2560

/** As the query protocol has it: a list is `Tags.member.1.Key` and so on. */
export type StsInput = AssumeRoleRequest & Record<string, unknown>

export function validationError (message: string): AwsError {
  return new AwsError('ValidationError', message)
}

export function notAuthorized ({ caller, input }: Call<StsInput>, action: string): AwsError {
  const text = `User: ${caller.arn} is not authorized to perform: ${action} on resource: ${input.RoleArn ?? ''}`
  return new AwsError('AccessDeniedException', text)
}

/** What the request says of the session. Refuses what STS would, and what the role's trust policy does not allow. */
export function readSession (call: Call<StsInput>, role: Role): Omit<Session, 'name'> & { packedSize: number } {
  const { input } = call
  const tags = readTags(input)
  if (Object.keys(tags).length > 0 && !role.mayTag) throw notAuthorized(call, 'sts:TagSession')
  const sourceIdentity = readSourceIdentity(input.SourceIdentity)
  if (sourceIdentity !== null && !role.maySetSourceIdentity) throw notAuthorized(call, 'sts:SetSourceIdentity')
  const { Policy: text } = input
  if (text !== undefined && text.length > MAX_POLICY) {
    throw validationError('1 validation error detected: Value at \'policy\' failed to satisfy constraint: ' +
      `Member must have length less than or equal to ${MAX_POLICY}`)
  }
  const policy = text === undefined ? undefined : parsePolicy(text)
  return { sourceIdentity, tags, policy, packedSize: packedSize(text ?? '', tags) }
}

function packedSize (policy: string, tags: Record<string, string>): number {
  const length = policy.replace(/\s/g, '').length + Object.entries(tags).flat().join('').length
  const percent = Math.ceil(100 * length / PACKED_LIMIT)
  if (percent > 100) {
    throw new AwsError('PackedPolicyTooLarge', `Serialized token too large for session: ${percent}% of the limit`)
  }
  return percent
}

function readSourceIdentity (value: string | undefined): string | null {
  if (value === undefined) return null
  if (/^[\w+=,.@-]{2,64}$/.test(value) && !value.startsWith('aws:')) return value
  throw validationError(`Value '${value}' at 'sourceIdentity' failed to satisfy constraint: ` +
    'Member must satisfy regular expression pattern: [\\w+=,.@-]*')
}

function readTags (input: StsInput): Record<string, string> {
  const tags: Record<string, string> = {}
  for (let number = 1; `Tags.member.${number}.Key` in input; number++) {
    if (number > MAX_TAGS) throw validationError(`Member must have length less than or equal to ${MAX_TAGS}`)
    const key = String(input[`Tags.member.${number}.Key`])
    const value = String(input[`Tags.member.${number}.Value`] ?? '')
    requireTag(key, value)
    if (Object.keys(tags).some((known) => known.toLowerCase() === key.toLowerCase())) {
      throw new AwsError('InvalidParameterValue',
        'Duplicate tag keys found. Please note that Tag keys are case insensitive.')
    }
    tags[key] = value
  }
  return tags
}

function requireTag (key: string, value: string): void {
  const isValid = [key, value].every((text) => /^[\p{L}\p{Z}\p{N}_.:/=+\-@]*$/u.test(text))
  if (!isValid || key.length < 1 || key.length > 128 || value.length > 256 || /^aws:/i.test(key)) {
    throw validationError(`Value '${key}' at 'tags' failed to satisfy constraint: Member must be a valid tag`)
  }
}
