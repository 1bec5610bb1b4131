import { formatLabel } from '../parts/label'
import type { Approval } from './approval'

type Target = NonNullable<Approval['target']>
type Within = NonNullable<Target['within']>

const at = (folder: string, id: string | undefined, rest = ''): string | undefined =>
  id === undefined ? undefined : `/${folder}/${encodeURIComponent(id)}${rest}`

/** Where a target of each kind is shown; one that is shown with what holds it leads there. */
const pages: Record<string, (id: string, within: Within) => string | undefined> = {
  ecs_service: (id) => at('services', id),
  ecs_deployment: (_, { ecs_service: service }) => at('services', service, '/deployments'),
  lambda_function: (id) => at('functions', id),
  app: (id) => at('apps', id),
  build: (id, { app }) => at('apps', app, `/builds/${encodeURIComponent(id)}`),
  repository: (id) => at('repositories', id),
  branch: (_, { repository }) => at('repositories', repository, '/pulls'),
  spec_session: (id) => at('specs', id),
  spec_generation: (_, { spec_session: spec }) => at('specs', spec),
  spec_issues: (_, { spec_session: spec }) => at('specs', spec),
  standard: (id) => at('standards', id),
  content: (id) => at('content', id),
  content_generation: (_, { content }) => at('content', content),
  suggestion: (_, { content }) => at('content', content),
  brief: (id) => at('briefs', id),
  brand: (_, { project }) => at('projects', project),
  project: (id) => at('projects', id)
}

export interface TargetPage { href: string, label: string }

const idForm = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/**
 * @returns the page of what an approved write was done to; none for what it makes, whose id only its result has, and for
 *   what it deletes
 */
export const pageOfTarget = ({ target, name }: Pick<Approval, 'target' | 'name'>): TargetPage | undefined => {
  if (!target || target.id.startsWith('new:') || name.startsWith('delete')) return undefined
  const href = pages[target.kind]?.(target.id, target.within ?? {})
  if (href === undefined) return undefined
  const kind = formatLabel(target.kind)
  // Ids of a cloud end with the name: <account>~<region>~<name>.
  return { href, label: idForm.test(target.id) ? kind : `${kind} ${target.id.split('~').at(-1) ?? ''}` }
}
