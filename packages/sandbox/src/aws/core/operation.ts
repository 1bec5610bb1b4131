import { globMatches } from './glob.js'
import { AwsError } from './errors.js'
import { evaluate, type Policy } from './policy.js'
import type { Account, Credential, Denial, DenialCause, Region, World } from './world.js'

export interface Call<Input> {
  world: World
  account: Account
  region: Region
  caller: Credential
  input: Input
  now: number
  requestId: string
}

/** Condition keys in lower case, with what the call sets them to. */
export type Conditions = Record<string, string>

export interface Operation {
  action: string
  /** False for what no policy can forbid. */
  checked: boolean
  resource: (call: Call<never>) => string
  run: (call: Call<never>) => unknown
}

/** Declares one operation: the IAM action it needs, what it does, and the resource a policy would name. */
export function operation<Input, Output> (
  action: string,
  run: (call: Call<Input>) => Output | Promise<Output>,
  resource: (call: Call<Input>) => string = () => '*'
): Operation {
  // The one context where bytes become the SDK's input types: the callers are the SDK's own clients.
  return { action, checked: true, run: run as Operation['run'], resource: resource as Operation['resource'] }
}

/**
 * Refuses the call in AWS's words if a denial covers it, or if the role's or the session's policy does not allow it:
 * what a session may do is what both allow.
 * @param context the condition keys that the call sets
 */
export function authorize (call: Call<unknown>, action: string, resource: string, context: Conditions = {}): void {
  const { world, caller } = call
  const denial = world.denials.find((one) => covers(one, caller, action, resource))
  if (denial) throw denied(caller.arn, action, resource, denial.cause)
  const role = caller.roleArn === undefined ? undefined : world.roles.get(caller.roleArn)
  const policies: [Policy | undefined, DenialCause][] =
    [[role?.policy, 'identity_policy'], [caller.session?.policy, 'session_policy']]
  for (const [policy, cause] of policies) {
    const verdict = policy === undefined ? 'allowed' : evaluate(policy, { action, resource, context })
    if (verdict === 'denied') throw denied(caller.arn, action, resource, 'explicit_deny')
    if (verdict === 'silent') throw denied(caller.arn, action, resource, cause)
  }
}

/** The text form that AWS gives a refusal. */
export function denied (arn: string, action: string, resource: string, cause: DenialCause): AwsError {
  const text = `User: ${arn} is not authorized to perform: ${action} on resource: ${resource} ${why(action, cause)}`
  return new AwsError('AccessDeniedException', text)
}

function covers (denial: Denial, caller: Credential, action: string, resource: string): boolean {
  const names = [caller.accessKeyId, caller.arn, caller.roleArn, caller.accountId]
  return globMatches(denial.action.toLowerCase(), action.toLowerCase()) &&
    globMatches(denial.resource, resource) &&
    (denial.principal === undefined || names.includes(denial.principal))
}

function why (action: string, cause: DenialCause): string {
  switch (cause) {
    case 'identity_policy': return `because no identity-based policy allows the ${action} action`
    case 'explicit_deny': return 'with an explicit deny in an identity-based policy'
    case 'scp': return 'with an explicit deny in a service control policy'
    case 'boundary': return `because no permissions boundary allows the ${action} action`
    case 'session_policy': return `because no session policy allows the ${action} action`
    case 'resource_policy': return `because no resource-based policy allows the ${action} action`
  }
}
