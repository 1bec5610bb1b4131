import type { ServerlessFunction } from '../../../schemas/infrastructure/functions.js'
import type { Listed } from './list-containers.js'
import { functionsKey, readFunctions } from './read-functions.js'
import { gather, listSources, type Deps, type Filter } from './sources.js'

/** @throws the source's error when no source answered */
export const listFunctions = async (deps: Deps, workspaceId: string, filter: Filter):
Promise<Listed<ServerlessFunction>> => {
  const sources = await listSources(deps, workspaceId, filter)
  const gathered = await gather(deps, sources, (source) => readFunctions(deps, source))
  return { ...gathered, age: Math.max(0, ...sources.map((source) => deps.aws.inventory.age(functionsKey(source)))) }
}
