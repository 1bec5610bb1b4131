import type { CodehostClient } from '../../../plugins/codehost/client.js'
import type { SignInRule } from '../../../plugins/codehost/sign-in-rules.js'
import { hasHigherRole } from '../../../plugins/principal.js'
import type { Role } from '../../../db/types.js'
import { HostMembership } from '../../../schemas/codehost/upstream.js'
import { isCode } from './read-host.js'

const teamRoute = 'GET /orgs/{org}/teams/{team_slug}/memberships/{username}'
const organisationRoute = 'GET /user/memberships/orgs/{org}'

const ask = (client: CodehostClient, { organisation: org, team }: SignInRule, username: string) => team === null
  ? client.read(organisationRoute, { org }, HostMembership)
  : client.read(teamRoute, { org, team_slug: team, username }, HostMembership)

/** The person's own token asks; who may not know is not a member, and neither is who has not accepted yet. */
const holds = async (client: CodehostClient, rule: SignInRule, username: string): Promise<boolean> => {
  try {
    return (await ask(client, rule, username)).data.state === 'active'
  } catch (error) {
    if (isCode(error, 'codehost_not_found') || isCode(error, 'codehost_forbidden')) return false
    throw error
  }
}

/** @returns the highest role that a rule gives the person; null = none does */
export const judgeRules = async (rules: SignInRule[], client: CodehostClient, login: string): Promise<Role | null> => {
  const highestFirst = rules.toSorted((a, b) => hasHigherRole(a.role, b.role) ? -1 : 1)
  for (const rule of highestFirst) if (await holds(client, rule, login)) return rule.role
  return null
}
