import type { Role } from '../../db/types.js'
import { isOneOf } from '../../schemas/unknown.js'

/** Members of the organisation, or of the team where one is named, may sign in with this role. */
export interface SignInRule {
  organisation: string
  /** The code host's number of it, which does not pass on with the name; null = that of the first sign-in. */
  organisation_id: string | null
  team: string | null
  role: Role
}

const form =
  /^([A-Za-z0-9][A-Za-z0-9_-]{0,99})(?:#([1-9][0-9]{0,18}))?(?:\/([A-Za-z0-9_][A-Za-z0-9_.-]{0,99}))?=(viewer|member|admin)$/

const roles = ['viewer', 'member', 'admin'] as const

const readRule = (text: string, name: string): SignInRule => {
  const [, organisation, organisation_id = null, team = null, role] = form.exec(text) ?? []
  if (organisation === undefined || !isOneOf(roles, role)) {
    throw new Error(`${name}: organisation=role or organisation/team=role, ` +
      'comma-separated, with a role of viewer, member, admin; organisation#number names it for good')
  }
  return { organisation, organisation_id, team, role }
}

/**
 * @param text such as `acme#1234=viewer,acme#1234/web=member`
 * @param name what it is the value of
 * @throws Error with one line that begins with the name
 */
export const readSignInRules = (text: string | undefined, name = 'Environment variable CODEHOST_SIGN_IN'):
SignInRule[] =>
  (text ?? '').split(',').map((rule) => rule.trim()).filter((rule) => rule !== '').map((rule) => readRule(rule, name))
