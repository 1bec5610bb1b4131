import type { Role } from '../../db/types.js'

/** Members of the organisation, or of the team where one is named, may sign in with this role. */
export interface SignInRule { organisation: string, team: string | null, role: Role }

const form = /^([A-Za-z0-9][A-Za-z0-9_-]{0,99})(?:\/([A-Za-z0-9_][A-Za-z0-9_.-]{0,99}))?=(viewer|member|admin)$/

const readRule = (text: string): SignInRule => {
  const [, organisation, team = null, role] = form.exec(text) ?? []
  if (organisation === undefined) {
    throw new Error('Environment variable CODEHOST_SIGN_IN: organisation=role or organisation/team=role, ' +
      'comma-separated, with a role of viewer, member, admin')
  }
  // The expression takes no other words.
  return { organisation, team, role: role as Role }
}

/** @param text such as `acme=viewer,acme/platform=member`. @throws Error with one line that names the variable */
export const readSignInRules = (text: string | undefined): SignInRule[] =>
  (text ?? '').split(',').map((rule) => rule.trim()).filter((rule) => rule !== '').map(readRule)
