import { api, body, type Schemas } from './client'
import { useResource } from './resource'

/** As many projects as fit into one choice. */
const most = 100

/** @returns the projects in use, to choose from; undefined until they are loaded */
export const useProjects = (): Schemas['Project'][] | undefined =>
  useResource([], (signal) => body(api.GET('/account/projects', { params: { query: { limit: most } }, signal })))
    .data?.items
