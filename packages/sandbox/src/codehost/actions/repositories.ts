import type { Permission, Repository } from '../core/world.js'
import { fullNameOf } from '../core/world.js'
import { emit } from '../hooks/deliver.js'
import { common, type Stage } from '../hooks/payloads.js'
import { showAccount } from '../rest/views.js'
import { emptyRepository } from '../seed/empty.js'

const emitChange = (stage: Stage, repository: Repository, action: string, extra: Record<string, unknown> = {}) =>
  emit(stage.sandbox, repository, 'repository', { action, ...extra, ...common(stage, repository) })

/** Creates an empty repository, without a branch. */
export function createRepository ({ sandbox: { world } }: Stage, ownerId: number, name: string, isPrivate: boolean):
Repository {
  const repository = { ...emptyRepository(world.nextId(), ownerId, name, world.clock.iso()), private: isPrivate }
  world.repositories.set(repository.id, repository)
  return repository
}

/** Forks a repository: the fork shares its objects, and begins with its branches. */
export function forkRepository ({ sandbox: { world } }: Stage, repository: Repository, ownerId: number): Repository {
  const fork: Repository = {
    ...emptyRepository(world.nextId(), ownerId, repository.name, world.clock.iso()),
    description: repository.description,
    private: repository.private,
    fork: true,
    parent_id: repository.id,
    default_branch: repository.default_branch,
    git: repository.git,
    branches: new Map(repository.branches)
  }
  world.repositories.set(fork.id, fork)
  return fork
}

export interface RepositoryChange {
  name?: string | undefined
  private?: boolean | undefined
  archived?: boolean | undefined
}

export function changeRepository (stage: Stage, repository: Repository, change: RepositoryChange): void {
  const { world } = stage.sandbox
  repository.updated_at = world.clock.iso()
  if (change.name !== undefined && change.name !== repository.name) {
    const from = repository.name
    repository.formerNames.add(fullNameOf(world, repository).toLowerCase())
    repository.name = change.name
    emitChange(stage, repository, 'renamed', { changes: { repository: { name: { from } } } })
  }
  if (change.private !== undefined && change.private !== repository.private) {
    repository.private = change.private
    emitChange(stage, repository, change.private ? 'privatized' : 'publicized')
  }
  if (change.archived !== undefined && change.archived !== repository.archived) {
    repository.archived = change.archived
    emitChange(stage, repository, change.archived ? 'archived' : 'unarchived')
  }
}

export function deleteRepository (stage: Stage, repository: Repository): void {
  emitChange(stage, repository, 'deleted')
  stage.sandbox.world.repositories.delete(repository.id)
}

/** Grants or revokes a person's own permission; those from a team or the organization remain. */
export function setCollaborator (stage: Stage, repository: Repository, userId: number,
  permission: Permission | null): void {
  const user = stage.sandbox.world.accounts.get(userId)
  if (permission) repository.collaborators.set(userId, permission)
  else repository.collaborators.delete(userId)
  emit(stage.sandbox, repository, 'member', {
    action: permission ? 'added' : 'removed',
    member: user && showAccount(stage, user),
    ...common(stage, repository)
  })
}

/** Adds a person to a team or removes them, and delivers webhooks for every repository of the team. */
export function setTeamMember (stage: Stage, orgId: number, slug: string, userId: number, isMember: boolean): void {
  const { world } = stage.sandbox
  const team = world.orgs.get(orgId)?.teams.find((one) => one.slug === slug)
  const user = world.accounts.get(userId)
  if (!team || !user) return
  if (isMember) team.members.add(userId)
  else team.members.delete(userId)
  const [first] = [...world.repositories.values()].filter((one) => one.teams.has(slug) && one.owner_id === orgId)
  if (!first) return
  emit(stage.sandbox, first, 'membership', {
    action: isMember ? 'added' : 'removed',
    scope: 'team',
    member: showAccount(stage, user),
    team: { id: team.id, slug, name: team.name },
    ...common(stage, first)
  })
}
