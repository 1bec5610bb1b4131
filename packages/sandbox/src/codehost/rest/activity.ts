import { operation, repositoryOf, type Call } from '../core/operation.js'
import { page } from '../core/paging.js'
import type { RefChange } from '../core/world.js'
import { contextOf } from './repositories.js'
import { showAccount } from './views.js'

const dayMs = 86_400_000
const spans: Record<string, number> = { day: 1, week: 7, month: 31, quarter: 92, year: 366 }

/** Pushes, and branches made and deleted; newest first, by cursor as the code host has it. */
function listActivity (call: Call) {
  const repository = repositoryOf(call)
  const { query, sandbox: { world } } = call
  const [ref, actor, type] = ['ref', 'actor', 'activity_type'].map((name) => query.get(name))
  const span = spans[query.get('time_period') ?? '']
  const since = span === undefined ? 0 : world.clock.now() - span * dayMs
  const login = (change: RefChange) => world.accounts.get(change.actor_id)?.login
  const found = repository.changes.filter((change) =>
    (!ref || change.ref === ref || change.ref === `refs/heads/${ref}`) && (!actor || login(change) === actor) &&
    (!type || change.type === type) && Date.parse(change.at) >= since).reverse()
  return page(call, found.map((change) => ({
    id: change.id,
    node_id: `PSH_${change.id}`,
    before: change.before,
    after: change.after,
    ref: change.ref,
    timestamp: change.at,
    activity_type: change.type,
    actor: showActor(call, change.actor_id)
  })))
}

function showActor (call: Call, id: number) {
  const found = call.sandbox.world.accounts.get(id)
  return found ? showAccount(contextOf(call), found) : null
}

function listReleases (call: Call) {
  const repository = repositoryOf(call)
  return page(call, repository.releases.map(({ id, tag, name, author_id, published_at }) => ({
    id,
    tag_name: tag,
    name,
    draft: false,
    prerelease: false,
    author: showActor(call, author_id),
    created_at: published_at,
    published_at,
    html_url: `${call.origin}/releases/${tag}`
  })))
}

export const activityOperations = [
  operation('listActivity', 'GET', '{repo}/activity', listActivity, { auth: 'any' }),
  operation('listReleases', 'GET', '{repo}/releases', listReleases, { auth: 'any' })
]
