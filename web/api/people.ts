import { api, body, type Schemas } from './client'
import { useResource } from './resource'

/** As many people as fit into one choice. */
const most = 100

/** @returns the active people of the workspace, to choose from; undefined until they are loaded */
export const usePeople = (): Schemas['PersonName'][] | undefined =>
  useResource([], (signal) => body(api.GET('/account/people', { params: { query: { limit: most } }, signal })))
    .data?.items

/** @returns the options of a choice of people */
export const namesOf = (people: readonly Schemas['PersonName'][] | undefined): Record<string, string> =>
  Object.fromEntries((people ?? []).map(({ id, name }) => [id, name]))
