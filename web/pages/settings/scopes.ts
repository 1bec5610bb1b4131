import { namesOfAccounts } from '../../api/account-names'
import { useAccounts } from '../../api/accounts'
import type { Schemas } from '../../api/client'
import { useProjectNames } from '../../api/projects'
import { say, type Key } from '../../texts/say'

export type Scope = Schemas['BindingScope']
type Kind = Scope['kind']

export const kinds: Record<Kind, Key> = {
  workspace: 'scope.workspace',
  project: 'scope.project',
  cloud_account: 'scope.account',
  environment: 'scope.environment'
}

export const roles = {
  viewer: 'role.viewer', operator: 'role.operator', approver: 'role.approver', admin: 'role.admin'
} as const

/** With the role that only a workspace gives. */
export const allRoles = { ...roles, member: 'role.member' } as const

export const roleWords = {
  viewer: 'role.viewer.words',
  operator: 'role.operator.words',
  approver: 'role.approver.words',
  admin: 'role.admin.words'
} as const

/** What a role can be bound to, by name. */
export interface Places {
  projects: Record<string, string>
  accounts: Record<string, string>
}

/** @returns what roles can be bound to; empty until it is loaded */
export const usePlaces = (): Places =>
  ({ projects: useProjectNames(), accounts: namesOfAccounts(useAccounts()) })

/** @returns what a role is bound to, in words */
export const nameOf = (scope: Scope, { projects, accounts }: Places): string => {
  switch (scope.kind) {
    case 'workspace': return say('scope.of.workspace')
    case 'project': return say('scope.of.project', { name: projects[scope.id] ?? scope.id })
    case 'cloud_account': return say('scope.of.account', { name: accounts[scope.id] ?? scope.id })
    case 'environment': return say('scope.of.environment', { name: scope.name })
  }
}

/** @returns the scope that was chosen; undefined while its place is missing */
export const scopeOf = (kind: Kind, place: string): Scope | undefined => {
  if (kind === 'workspace') return { kind }
  if (place === '') return undefined
  return kind === 'environment' ? { kind, name: place } : { kind, id: place }
}
