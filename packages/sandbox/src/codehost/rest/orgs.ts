import { notFound } from '../core/errors.js'
import { ok, operation, repositoryOf, userOf, type Call } from '../core/operation.js'
import { page } from '../core/paging.js'
import { accountNamed, permissionOf, type Org, type Team } from '../core/world.js'
import { showAccount } from './views.js'

const orgOf = ({ sandbox: { world }, params }: Call): Org => {
  const account = accountNamed(world, params.org ?? '')
  const org = account && world.orgs.get(account.id)
  if (!org) throw notFound()
  return org
}

const showTeam = (call: Call, { account }: Org, { id, slug, name }: Team) => ({
  id, slug, name, description: null, privacy: 'closed', permission: 'push', organization: showAccount(call, account)
})

function teamOf (call: Call): Team {
  const team = orgOf(call).teams.find(({ slug }) => slug === call.params.team)
  if (!team || !orgOf(call).members.has(userOf(call).id)) throw notFound()
  return team
}

function listTeams (call: Call) {
  const { id } = userOf(call)
  const mine = [...call.sandbox.world.orgs.values()].flatMap((org) =>
    org.teams.filter(({ members }) => members.has(id)).map((team) => showTeam(call, org, team)))
  return page(call, mine)
}

function showMembership (call: Call, org: Org, userId: number) {
  const role = org.members.get(userId)
  if (!role) throw notFound()
  const user = call.sandbox.world.accounts.get(userId)
  return {
    url: `${call.origin}/api/v3/orgs/${org.account.login}/memberships/${user?.login}`,
    state: 'active',
    role,
    organization: showAccount(call, org.account),
    user: user && showAccount(call, user)
  }
}

function listMemberships (call: Call) {
  const { id } = userOf(call)
  const mine = [...call.sandbox.world.orgs.values()].filter(({ members }) => members.has(id))
  return page(call, mine.map((org) => showMembership(call, org, id)))
}

function checkMember (call: Call) {
  const org = orgOf(call)
  const member = accountNamed(call.sandbox.world, call.params.login ?? '')
  if (!member || !org.members.has(member.id) || !org.members.has(userOf(call).id)) throw notFound()
  return { status: 204 }
}

function getTeamMembership (call: Call) {
  const team = teamOf(call)
  const member = accountNamed(call.sandbox.world, call.params.login ?? '')
  if (!member || !team.members.has(member.id)) throw notFound()
  return ok({ state: 'active', role: 'member', url: `${call.origin}/api/v3${call.path}` })
}

function getPermission (call: Call) {
  const repository = repositoryOf(call)
  const { world } = call.sandbox
  const user = accountNamed(world, call.params.login ?? '')
  if (!user) throw notFound()
  const permission = permissionOf(world, repository, user.id) ?? 'none'
  return ok({ permission, role_name: permission, user: showAccount(call, user) })
}

export const orgOperations = [
  operation('listUserTeams', 'GET', '/user/teams', listTeams),
  operation('listMemberships', 'GET', '/user/memberships/orgs', listMemberships),
  operation('getMembership', 'GET', '/user/memberships/orgs/{org}', (call) =>
    ok(showMembership(call, orgOf(call), userOf(call).id))),
  operation('checkMember', 'GET', '/orgs/{org}/members/{login}', checkMember),
  operation('getTeamMembership', 'GET', '/orgs/{org}/teams/{team}/memberships/{login}', getTeamMembership),
  operation('getPermission', 'GET', '{repo}/collaborators/{login}/permission', getPermission)
]
