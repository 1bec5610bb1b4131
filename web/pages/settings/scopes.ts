import { api, body, type Schemas } from '../../api/client'
import { useProjects } from '../../api/projects'
import { useResource } from '../../api/resource'

export type Scope = Schemas['BindingScope']
type Kind = Scope['kind']

export const kinds: Record<Kind, string> = {
  workspace: 'The whole workspace',
  project: 'A project',
  cloud_account: 'A cloud account',
  environment: 'An environment'
}

export const roles = { viewer: 'viewer', operator: 'operator', approver: 'approver', admin: 'admin' } as const

export const roleWords = {
  viewer: 'viewer: reads',
  operator: 'operator: proposes, decides low risk',
  approver: 'approver: changes, and decides',
  admin: 'admin: changes settings, too'
} as const

/** What a role can be bound to, by name. */
export interface Places {
  projects: Record<string, string>
  accounts: Record<string, string>
  environments: readonly string[]
}

/** @returns what roles can be bound to; empty until it is loaded */
export const usePlaces = (): Places => {
  const projects = useProjects()
  const accounts = useResource([], (signal) =>
    body(api.GET('/cloud/accounts', { params: { query: { limit: 100 } }, signal }))).data?.items ?? []
  return {
    projects: Object.fromEntries((projects ?? []).map(({ id, name }) => [id, name])),
    accounts: Object.fromEntries(accounts.map(({ id, name }) => [id, name])),
    environments: [...new Set(accounts.flatMap(({ environment }) => environment ?? []))].sort()
  }
}

/** @returns what a role is bound to, in words */
export const nameOf = (scope: Scope, { projects, accounts }: Places): string => {
  switch (scope.kind) {
    case 'workspace': return 'the whole workspace'
    case 'project': return `project ${projects[scope.id] ?? scope.id}`
    case 'cloud_account': return `cloud account ${accounts[scope.id] ?? scope.id}`
    case 'environment': return `environment ${scope.name}`
  }
}

/** @returns the scope that was chosen; undefined while its place is missing */
export const scopeOf = (kind: Kind, place: string): Scope | undefined => {
  if (kind === 'workspace') return { kind }
  if (place === '') return undefined
  return kind === 'environment' ? { kind, name: place } : { kind, id: place }
}
