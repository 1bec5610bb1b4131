import type { World } from './world.js'

type More = Record<string, unknown>

/** @returns the id of what a POST has made */
const idOf = async ({ call }: World, path: string, body: More, name = 'id'): Promise<string> =>
  String((await call('POST', path, body))[name])

export const makeProject = (world: World, name: string, more: More = {}): Promise<string> =>
  idOf(world, '/account/projects', { name, ...more })

const registry = '123456789012.dkr.ecr.eu-west-1.amazonaws.com'

/** An application of larkspur/web, which is deployed to a service of the sandbox. */
export const makeApp = async (world: World, name: string, service = 'web', more: More = {}): Promise<string> => {
  const { id } = await world.get<{ id: string }>(`/infrastructure/containers/services/${service}`)
  return idOf(world, '/deployments/apps', {
    name,
    source: { repo: 'larkspur/web', default_branch: 'main', path: '' },
    target: { kind: 'ecs_service', service_id: id, container: service },
    image: `${registry}/${service}:{short_sha}`,
    ...more
  })
}

/** A spec session with one text. */
export const makeSpec = (world: World, title: string, text: string): Promise<string> =>
  idOf(world, '/pse/sessions', { title, inputs: [{ kind: 'text', label: 'Brief', text }] }, 'session_id')

/** Compiles the spec of a session without a model. */
export const compileSpec = ({ call }: World, session: string): Promise<unknown> =>
  call('POST', `/pse/sessions/${session}/generate`, { engine: 'template' })

/** A blog text in a project. */
export const makeText = (world: World, project: string, title: string, body = 'One paragraph.\n'): Promise<string> =>
  idOf(world, '/content', { project_id: project, channel: 'blog', title, body_markdown: body })

/** An issue that a stranger opened in larkspur/web. */
export const makeIssue = async ({ steer }: World, title: string, body: string): Promise<string> =>
  String((await steer('codehost', 'POST', '/issues', { repository: 'larkspur/web', login: 'mallory', title, body }))
    .number)

/** A token of the admin that reads everything and writes only in the chat. */
export const makeReader = async ({ call }: World): Promise<string> => {
  const scopes = ['agent:read', 'agent:write', 'approvals:write', 'infrastructure:read', 'cloud:read', 'account:read']
  return String((await call('POST', '/account/tokens', { name: 'Reader', scopes, expires_in_days: 1 })).secret)
}
