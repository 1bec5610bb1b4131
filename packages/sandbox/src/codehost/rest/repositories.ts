import { ok, operation, repositoryOf, userOf, type Call } from '../core/operation.js'
import { page } from '../core/paging.js'
import { permissionOf, type Repository } from '../core/world.js'
import { showRepository } from './views.js'

const sorts: Record<string, (repository: Repository) => string> = {
  created: (one) => one.created_at,
  updated: (one) => one.updated_at,
  pushed: (one) => one.pushed_at ?? '',
  full_name: (one) => one.name
}

export const contextOf = ({ sandbox: { world }, origin }: Call) => ({ world, origin })

/** The repositories that the user owns, works on, or sees as a member, without merely public ones. */
function listMine (call: Call) {
  const { world } = call.sandbox
  const { id } = userOf(call)
  const visibility = call.query.get('visibility') ?? call.query.get('type') ?? 'all'
  const sort = call.query.get('sort') ?? 'full_name'
  const direction = call.query.get('direction') ?? (sort === 'full_name' ? 'asc' : 'desc')
  const key = sorts[sort] ?? sorts.full_name!
  const found = [...world.repositories.values()]
    .filter((one) => isMine(call, one, id))
    .filter((one) => visibility === 'all' || one.private === (visibility === 'private'))
    .sort((a, b) => key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : a.id - b.id)
  if (direction === 'desc') found.reverse()
  return page(call, found.map((one) => showRepository(contextOf(call), one, id)))
}

function isMine ({ sandbox: { world } }: Call, repository: Repository, userId: number): boolean {
  const permission = permissionOf(world, repository, userId)
  if (!permission) return false
  const org = world.orgs.get(repository.owner_id)
  return permission !== 'read' || org?.members.has(userId) === true || repository.collaborators.has(userId)
}

export const repositoryOperations = [
  operation('listRepositories', 'GET', '/user/repos', listMine),
  operation('getRepository', 'GET', '{repo}', (call) =>
    ok(showRepository(contextOf(call), repositoryOf(call), call.user?.id)), { auth: 'any' })
]
