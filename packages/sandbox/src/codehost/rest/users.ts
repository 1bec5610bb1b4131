import { notFound } from '../core/errors.js'
import { ok, operation, userOf, type Call } from '../core/operation.js'
import { page } from '../core/paging.js'
import { accountNamed } from '../core/world.js'
import { showAccount, showFullAccount } from './views.js'

function listOrgs (call: Call) {
  const { id } = userOf(call)
  const orgs = [...call.sandbox.world.orgs.values()].filter(({ members }) => members.has(id))
  return page(call, orgs.map(({ account }) => showAccount(call, account)))
}

function getUser (call: Call) {
  const account = accountNamed(call.sandbox.world, call.params.login ?? '')
  if (!account) throw notFound()
  return ok(showFullAccount(call, account))
}

export const userOperations = [
  operation('getAuthenticatedUser', 'GET', '/user', (call) => ok(showFullAccount(call, userOf(call)))),
  operation('listUserOrgs', 'GET', '/user/orgs', listOrgs),
  operation('getUser', 'GET', '/users/{login}', getUser, { auth: 'any' })
]
