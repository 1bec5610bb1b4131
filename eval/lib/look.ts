import type { World } from './world.js'

export interface Service { serviceName: string, desiredCount: number, taskDefinition: string, deployments: unknown[] }

interface State {
  accounts: { regions: Record<string, { clusters: Record<string, { services: Service[] }> }> }[]
}

/** @returns a service as the sandbox of AWS has it */
export const serviceOf = async ({ steer }: World, name: string): Promise<Service> => {
  const { accounts } = await steer<State>('aws', 'GET', '/state')
  const service = accounts.flatMap(({ regions }) => Object.values(regions))
    .flatMap(({ clusters }) => Object.values(clusters)).flatMap(({ services }) => services)
    .find(({ serviceName }) => serviceName === name)
  if (!service) throw new Error(`The sandbox has no service ${name}`)
  return service
}

/** @returns the parameters of the last call of an operation of AWS */
export const lastCall = async ({ steer }: World, operation: string): Promise<Record<string, unknown>> => {
  const { calls } = await steer<{ calls: { params: Record<string, unknown> }[] }>('aws', 'GET',
    `/calls?operation=${operation}`)
  return calls.at(-1)?.params ?? {}
}

/** @returns the items of a list that fits on one page */
export const itemsOf = async ({ get }: World, path: string): Promise<Record<string, unknown>[]> =>
  (await get<{ items: Record<string, unknown>[] }>(`${path}${path.includes('?') ? '&' : '?'}limit=100`)).items

/** @returns the only item that has this value; else an empty one */
export const itemWith = async (world: World, path: string, name: string, value: unknown):
Promise<Record<string, unknown>> => {
  const found = (await itemsOf(world, path)).filter((item) => item[name] === value)
  return found.length === 1 ? found[0] ?? {} : {}
}
