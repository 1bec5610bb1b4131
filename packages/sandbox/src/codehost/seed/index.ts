import { SANDBOX_ORG, SANDBOX_USERS, sandboxToken } from '../constants.js'
import type { Clock } from '../core/clock.js'
import type { Account, Token, World } from '../core/world.js'
import { seedRepositories } from './repositories.js'

const born = '2024-03-04T09:00:00Z'
const person = (login: keyof typeof SANDBOX_USERS, name: string): Account => ({
  id: SANDBOX_USERS[login], login, type: 'User', name, email: `${login}@larkspur.example`, created_at: born
})

/** The company that a newcomer sees. Its times and hashes are the same after every start. */
export function seedWorld (clock: Clock): World {
  const { octavia, bruno } = SANDBOX_USERS
  const account: Account = { ...SANDBOX_ORG, type: 'Organization', name: 'Larkspur', email: null, created_at: born }
  const people = [
    person('octavia', 'Octavia Lind'), person('bruno', 'Bruno Hartmann'), person('mallory', 'Mallory Quist')
  ]
  let id = 100_000
  const world: World = {
    clock,
    accounts: new Map([...people, account].map((one) => [one.id, one])),
    orgs: new Map([[account.id, {
      account,
      members: new Map([[octavia, 'admin'], [bruno, 'member']]),
      teams: [{ id: 6101, slug: 'platform', name: 'Platform', members: new Set([bruno]) }]
    }]]),
    repositories: new Map(),
    deliveries: [],
    nextId: () => ++id
  }
  seedRepositories(world)
  return world
}

/** One token for each user, valid after every start. */
export function seedTokens (world: World): Map<string, Token> {
  const people = [...world.accounts.values()].filter(({ type }) => type === 'User')
  return new Map(people.map(({ id, login }) => [sandboxToken(login), {
    token: sandboxToken(login),
    user_id: id,
    scopes: ['repo', 'read:org', 'admin:repo_hook'],
    client_id: null,
    expires_at: null,
    refresh: null,
    refresh_expires_at: null
  }]))
}
