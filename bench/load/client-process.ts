import { once } from 'node:events'
import { start, type Child } from '../lib/child.js'
import type { Job, Load } from './job.js'

/** The load client, in a process of its own. */
export class LoadClient {
  readonly child: Child
  readonly #lost = new AbortController()

  constructor (log: string) {
    this.child = start({ script: new URL('../client.js', import.meta.url), env: {}, log })
    this.child.process.once('exit', () => this.#lost.abort(new Error('the load client ended')))
  }

  /** Has one job done. @throws when nothing of it went well */
  async run (job: Job): Promise<Load> {
    this.child.process.send(job)
    const [answer] = await once(this.child.process, 'message', { signal: this.#lost.signal })
    if (answer.error) throw new Error(answer.error)
    if (answer.load.finished === 0) throw new Error(`every call failed: ${JSON.stringify(answer.load.errors)}`)
    return answer.load
  }
}
