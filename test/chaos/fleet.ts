import type { Test } from 'tap'
import { launch, makeWorld, type Steward } from '../flows/crash-steward.js'
import { freePort, startProxy } from './haproxy.js'
import { chaosLimits } from './limits.js'

/** A place where an instance runs: killed and started again, it keeps its port. */
export class Place {
  deaths = 0
  isUp = false
  #steward: Steward | undefined

  constructor (private readonly t: Pick<Test, 'teardown'>, readonly env: Record<string, string>) {}

  get url (): string {
    return `http://127.0.0.1:${this.env.PORT}`
  }

  get pid (): number {
    return this.#steward?.child.pid ?? 0
  }

  async start (): Promise<void> {
    this.#steward = launch(this.t, this.env)
    await this.#steward.listening()
    this.isUp = true
  }

  async die (): Promise<void> {
    this.deaths++
    this.isUp = false
    await this.#steward?.kill()
  }
}

/** API instances and one worker on one empty database, all started at once, behind a proxy. */
export const startFleet = async (t: Pick<Test, 'teardown'>, apis: number, more: Record<string, number> = {},
  settings: Record<string, string> = {}) => {
  const world = await makeWorld(t, { LIMITS: JSON.stringify({ ...chaosLimits, ...more }), ...settings })
  const ports = await Promise.all(Array.from({ length: apis + 1 }, freePort))
  const places = ports.map((port, index) =>
    new Place(t, { ...world.env, PORT: String(port), WORKER: index < apis ? 'false' : 'only' }))
  await Promise.all(places.map((place) => place.start()))
  const url = await startProxy(t, ports.slice(0, apis))
  return { world, places, apis: places.slice(0, apis), url }
}

export type Fleet = Awaited<ReturnType<typeof startFleet>>

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** Kills one place after another at random and starts each again; the last API that is up is spared. */
export const killAtRandom = ({ places, apis }: Fleet, random: () => number, everyMs: number,
  most: number) => {
  const stopping = new AbortController()
  const restarts: Promise<void>[] = []
  const run = async () => {
    for (let deaths = 0; deaths < most && !stopping.signal.aborted;) {
      await pause(everyMs * (0.5 + random()))
      const place = places[Math.floor(random() * places.length)]
      const others = apis.filter((api) => api !== place && api.isUp)
      if (stopping.signal.aborted || !place?.isUp || others.length === 0) continue
      deaths++
      await place.die()
      restarts.push(pause(everyMs * random() / 2).then(() => place.start()))
    }
    await Promise.all(restarts)
  }
  const ended = run()
  return {
    get deaths () { return places.reduce((sum, { deaths }) => sum + deaths, 0) },
    async stop () {
      stopping.abort()
      await ended
    }
  }
}
