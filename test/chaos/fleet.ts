import type { Test } from '../tap.js'
import { launch, makeWorld, type Exit, type Steward } from '../flows/crash-steward.js'
import { freePort, startProxy } from './haproxy.js'
import { chaosLimits } from './limits.js'
import { randomFrom, sizes } from './sizes.js'

/** An instance that keeps its port when it is killed and started again. */
export class Instance {
  deaths = 0
  isUp = false
  #steward: Steward | undefined
  readonly #lives: Steward[] = []

  /** @param folder of the release that it runs, where it is not this one */
  constructor (private readonly t: Pick<Test, 'teardown'>, readonly env: Record<string, string>,
    private readonly folder?: string) {}

  get port (): string { return String(this.env.PORT) }

  get url (): string {
    return `http://127.0.0.1:${this.env.PORT}`
  }

  /** Lines of its logs at level error, over all its lives. */
  get errors (): string[] {
    return this.#lives.flatMap(({ output }) => output.split('\n').filter((line) => /^\{"level":[56]0/.test(line)))
  }

  get pid (): number {
    return this.#steward?.child.pid ?? 0
  }

  async start (): Promise<void> {
    this.#steward = launch(this.t, this.env, [], this.folder)
    this.#lives.push(this.#steward)
    await this.#steward.listening()
    this.isUp = true
  }

  /** Stops it as an orchestrator does. */
  async stop (): Promise<Exit | undefined> {
    this.isUp = false
    return this.#steward?.kill('SIGTERM')
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
  const instances = ports.map((port, index) =>
    new Instance(t, { ...world.env, PORT: String(port), WORKER: index < apis ? 'false' : 'only' }))
  await Promise.all(instances.map((instance) => instance.start()))
  const url = await startProxy(t, ports.slice(0, apis))
  return { world, instances, apis: instances.slice(0, apis), url }
}

export type Fleet = Awaited<ReturnType<typeof startFleet>>

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** Kills one instance after another at random and starts each again; the last API that is up is spared. */
export const killAtRandom = ({ instances, apis }: Fleet, random: () => number, everyMs: number,
  most: number) => {
  const stopping = new AbortController()
  const restarts: Promise<void>[] = []
  const run = async () => {
    for (let deaths = 0; deaths < most && !stopping.signal.aborted;) {
      await pause(everyMs * (0.5 + random()))
      const instance = instances[Math.floor(random() * instances.length)]
      const others = apis.filter((api) => api !== instance && api.isUp)
      if (stopping.signal.aborted || !instance?.isUp || others.length === 0) continue
      deaths++
      await instance.die()
      restarts.push(pause(everyMs * random() / 2).then(() => instance.start()))
    }
    await Promise.all(restarts)
  }
  const ended = run()
  return {
    get deaths () { return instances.reduce((sum, { deaths }) => sum + deaths, 0) },
    async stop () {
      stopping.abort()
      await ended
    }
  }
}

/** Has conversations by the dozen until there were enough of them and of deaths. @returns those that have ended */
export const converseAmongDeaths = async <Conversed>(t: Test, fleet: Fleet,
  converse: (index: number) => Promise<Conversed>) => {
  t.comment(`CHAOS_SEED=${sizes.seed}`)
  await fleet.world.speakSlowly(5)
  const killer = killAtRandom(fleet, randomFrom(sizes.seed), sizes.killEvery, sizes.deaths)
  const settled: PromiseSettledResult<Conversed>[] = []
  let begun = 0
  const person = async () => {
    while (begun < sizes.conversations || killer.deaths < sizes.apis) {
      settled.push(...await Promise.allSettled([converse(begun++)]))
    }
  }
  await Promise.all(Array.from({ length: sizes.atOnce }, person))
  await killer.stop()
  t.same(settled.flatMap((one) => one.status === 'rejected' ? [String(one.reason)] : []), [], 'every write ends')
  const ended = settled.flatMap((one) => one.status === 'fulfilled' ? [one.value] : [])
  return { ended, deaths: killer.deaths }
}
