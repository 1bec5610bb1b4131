import { randomUUID } from 'node:crypto'
import { asAdmin } from '../app.js'
import { Conversation, passed, persist } from './conversation.js'
import { look } from './survivor.js'

type Body = Record<string, unknown>

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
const registry = '123456789012.dkr.ecr.eu-west-1.amazonaws.com'

/** What people and programs do all the while, and what they have to complain of. */
export class Load {
  readonly complaints: string[] = []
  /** By the number that each asked for. */
  readonly writes: { wanted: number, conversation: Conversation }[] = []
  builds = 0
  signIns = 0
  reads = 0
  readonly #credentials: Record<string, string>[] = []
  #isOver = false
  #wanted = 10
  #working: Promise<unknown> = Promise.resolve()

  /** @param url of the proxy */
  constructor (private readonly url: string) {}

  begin (people: number): void {
    const work = [...Array.from({ length: people }, () => this.#converse()), this.#read(), this.#build(), this.#enter()]
    this.#working = Promise.all(work.map((one) => one.catch((error: unknown) => this.complaints.push(String(error)))))
  }

  /** Whatever has begun comes to its end. */
  async end (): Promise<void> {
    this.#isOver = true
    await this.#working
  }

  /** Whoever has signed in, or has a token, is known at an instance, whichever release gave the credentials. */
  async checkCredentials (instance: string): Promise<void> {
    for (const headers of this.#credentials.slice(-6)) {
      const { status } = await persist(() => fetch(`${instance}/account/me`, { headers }))
      if (status !== 200) this.complaints.push(`/account/me by ${Object.keys(headers).join()}: ${status}`)
    }
  }

  async #ask (method: string, path: string, body?: object, headers = asAdmin as Record<string, string>) {
    const written = { 'content-type': 'application/json', 'idempotency-key': randomUUID() }
    const before = passed.length
    const answer = await persist(() => fetch(this.url + path, {
      method, headers: { ...headers, ...(body && written) }, ...(body && { body: JSON.stringify(body) })
    }))
    const text = await answer.text()
    const what = `${method} ${path}, after ${passed.slice(before).join() || 'nothing'}`
    if (answer.status >= 300) throw new Error(`${what}: ${answer.status} ${text}`)
    return { answer, body: JSON.parse(text) as Body }
  }

  /** One after the other in one session: what one release stored the other one reads. */
  async #converse (): Promise<void> {
    while (!this.#isOver) {
      const wanted = this.#wanted++
      const conversation = new Conversation(this.url)
      const done = await conversation.say(`Scale web to ${wanted}`)
      if (done.status !== 'completed') throw new Error(`A run ended so: ${JSON.stringify(conversation.seen)}`)
      this.writes.push({ wanted, conversation })
    }
  }

  async #read (): Promise<void> {
    const paths = ['/api/v1/agent/sessions?limit=30', '/account/projects', '/cloud/accounts', '/content?limit=20',
      '/deployments/apps', '/api/v1/agent/confirmations']
    for (; !this.#isOver; await pause(50)) {
      for (const path of paths) await this.#ask('GET', path)
      this.reads += paths.length
    }
  }

  async #build (): Promise<void> {
    const { body: { id } } = await this.#ask('POST', '/deployments/apps', {
      name: 'Api',
      source: { repo: 'larkspur/web' },
      target: { kind: 'ecs_service', service_id: 'prod/api', container: 'api' },
      image: `${registry}/api:{number}-ok`
    })
    const path = `/deployments/apps/${String(id)}`
    while (!this.#isOver) {
      const commit = (++this.builds).toString(16).padStart(40, '0')
      const made = (await this.#ask('POST', `${path}/deploy`, { commit })).body
      const read = async () => (await this.#ask('GET', `${path}/builds/${String(made.id)}`)).body
      const { status, steps } = await look(read, ({ finished_at: at }) => at !== null)
      if (status !== 'succeeded') {
        this.complaints.push(`build ${this.builds}: ${String(status)}, ${JSON.stringify(steps)}`)
      }
    }
  }

  /** Invites a person, signs in by the link, and makes a token. */
  async #enter (): Promise<void> {
    for (; !this.#isOver; await pause(2_000)) {
      const { link } = (await this.#ask('POST', '/account/users', { name: `P${++this.signIns}`, role: 'admin' })).body
      const token = new URL((link as { url: string }).url).hash.replace('#token=', '')
      const { answer } = await this.#ask('POST', '/account/sign-in', { token }, { 'sec-fetch-site': 'same-origin' })
      const cookie = String(answer.headers.get('set-cookie')).split(';')[0] ?? ''
      const named = { name: 'test', scopes: ['account:read'], expires_in_days: 1 }
      const { secret } = (await this.#ask('POST', '/account/tokens', named)).body
      this.#credentials.push({ cookie }, { authorization: `Bearer ${String(secret)}` })
    }
  }
}
