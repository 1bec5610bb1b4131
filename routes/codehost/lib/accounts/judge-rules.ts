import type { FastifyBaseLogger } from 'fastify'
import { pinOrganisation } from '../../../../db/codehost/organisations.js'
import type { Db } from '../../../../db/index.js'
import type { CodehostClient } from '../../../../lib/codehost/client.js'
import type { SignInRule } from '../../../../lib/codehost/sign-in-rules.js'
import { hasHigherRole } from '../../../../lib/security/principal.js'
import type { Role } from '../../../../db/types.js'
import { HostMembership } from '../../../../schemas/codehost/upstream.js'
import { isCode } from '../read-host.js'

/** What judging a sign-in needs; `client` calls the code host with the person's own token. */
export interface Judging {
  db: Db
  log: FastifyBaseLogger
  workspaceId: string
  host: string
  client: CodehostClient
}

/** @returns the active membership; undefined = none, or none that this token may see */
const findActive = async (request: Promise<{ data: HostMembership }>): Promise<HostMembership | undefined> => {
  try {
    const { data } = await request
    return data.state === 'active' ? data : undefined
  } catch (error) {
    if (isCode(error, 'codehost_not_found') || isCode(error, 'codehost_forbidden')) return undefined
    throw error
  }
}

/** An organisation's name can pass to strangers, so its id counts: the one in the rule, else the first one seen. */
const isMeant = async ({ db, log, workspaceId, host }: Judging, rule: SignInRule, found: string): Promise<boolean> => {
  const { organisation: login, organisation_id: named } = rule
  if (named !== null) return named === found
  const pin = { workspace_id: workspaceId, host, login, organisation_id: found }
  const { organisation_id: kept, isNew } = await pinOrganisation(db, pin)
  const logged = { workspace_id: workspaceId, organisation: login, organisation_id: found }
  if (isNew) log.warn(logged, `rule of sign-in: ${login} is pinned to this id; write ${login}#${found}`)
  if (!isNew && kept !== found) {
    log.warn({ ...logged, kept }, `rule of sign-in: ${login} is another organisation than before`)
  }
  return kept === found
}

const holds = async (judging: Judging, rule: SignInRule, username: string): Promise<boolean> => {
  const { client } = judging
  const { organisation: org, team } = rule
  const membership = await findActive(client.read('GET /user/memberships/orgs/{org}', { org }, HostMembership))
  const found = membership?.organization?.id
  if (found === undefined || !await isMeant(judging, rule, String(found))) return false
  if (team === null) return true
  const path = { org, team_slug: team, username }
  const route = 'GET /orgs/{org}/teams/{team_slug}/memberships/{username}'
  return await findActive(client.read(route, path, HostMembership)) !== undefined
}

/** @returns the highest role that a rule gives the person; null = none does */
export const judgeRules = async (judging: Judging, rules: SignInRule[], login: string): Promise<Role | null> => {
  const highestFirst = rules.toSorted((a, b) => hasHigherRole(a.role, b.role) ? -1 : 1)
  for (const rule of highestFirst) if (await holds(judging, rule, login)) return rule.role
  return null
}
