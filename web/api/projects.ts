import { api, body, type Schemas } from './client'
import { useResource } from './resource'

type Project = Schemas['Project']

/** So many are offered at once; others are found by their names. */
const most = 30

const readProjects = (signal: AbortSignal, q?: string, limit = most) =>
  body(api.GET('/account/projects', { params: { query: { limit, q } }, signal }))

/** Finds projects in use by what their names contain; '' = any. */
export const findProjects = async (q: string, signal: AbortSignal) => {
  const { items, next_cursor: next } = await readProjects(signal, q.slice(0, 100) || undefined)
  return {
    options: items.map((item: Project) => ({ key: item.id, label: item.name, item })), isMore: next !== null
  }
}

export const readProject = (id: string, signal: AbortSignal): Promise<Project> =>
  body(api.GET('/account/projects/{project_id}', { params: { path: { project_id: id } }, signal }))

/** @returns whether there is a project to choose; undefined until it is known */
export const useHasProjects = (): boolean | undefined => {
  const { data } = useResource([], (signal) => readProjects(signal, undefined, 1))
  return data && data.items.length > 0
}

const [mostNamed, mostPages] = [100, 10]

const readNames = async (signal: AbortSignal): Promise<Record<string, string>> => {
  const names: Record<string, string> = {}
  let cursor: string | undefined
  for (let page = 0; page < mostPages; page++) {
    const query = { limit: mostNamed, cursor, archived: 'all' } as const
    const { items, next_cursor: next } = await body(api.GET('/account/projects', { params: { query }, signal }))
    for (const { id, name } of items) names[id] = name
    if (next === null) break
    cursor = next
  }
  return names
}

/** @returns the names of projects by their ids, archived ones too; empty until they are loaded */
export const useProjectNames = (): Record<string, string> => useResource([], readNames).data ?? {}
