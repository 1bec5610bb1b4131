import type { Test } from '../tap.js'
import type { World } from '../flows/crash-steward.js'
import type { openQueries } from './postgres.js'
import { Survivor } from './survivor.js'
import type { TcpProxy } from './tcp-proxy.js'

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** Makes the database unavailable after `ms`, for `lasts` milliseconds. */
export const fall = async (proxy: TcpProxy, ms: number, lasts = 1_000): Promise<void> => {
  await pause(ms)
  proxy.become('down')
  await pause(lasts)
  proxy.become('open')
}

/** A Steward that is not killed; reports when the work was requested whose database is to become unavailable. */
export class Watched extends Survivor {
  onRequested = () => {}

  constructor (t: Pick<Test, 'teardown'>, world: World, query: ReturnType<typeof openQueries>, url: string,
    private readonly work: string) {
    super(t, world, query, url)
  }

  override async ask (method: string, path: string, body?: object) {
    const answer = await super.ask(method, path, body)
    if (method === 'POST' && path.endsWith(this.work)) this.onRequested()
    return answer
  }
}
