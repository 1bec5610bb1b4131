import type { Test } from '../../tap.js'
import { startCodehostSandbox, SANDBOX_CLIENT_ID, SANDBOX_CLIENT_SECRET } from 'steward-sandbox/codehost'
import { buildApp, type App, type AppTest } from '../../app.js'

type Headers = Record<string, string>

/** A code host of the test's own, and the environment that names it. */
/** Answers of the sandbox's control path; each path has some of these fields. */
interface Controlled { id: number, count: number, counts: Record<string, number>, calls: { status: number }[] }

export const startHost = async (t: Pick<Test, 'teardown'>) => {
  const host = await startCodehostSandbox()
  t.teardown(() => host.close())
  const environment = {
    CODEHOST_URL: host.url, CODEHOST_CLIENT_ID: SANDBOX_CLIENT_ID, CODEHOST_CLIENT_SECRET: SANDBOX_CLIENT_SECRET
  }
  const control = async (method: string, path: string, body?: object) => {
    const answer = await fetch(host.controlUrl + path, {
      method, ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
    })
    return await answer.json() as Controlled
  }
  return { host, environment, control }
}

export const startWithHost = async (t: AppTest, more: Headers = {}) => {
  const { host, environment, control } = await startHost(t)
  return { app: await buildApp(t, { ...environment, ...more }), host, environment, control }
}

/** What a browser does: it keeps cookies, and goes where it is sent. */
export class Browser {
  readonly cookies = new Map<string, string>()

  constructor (private readonly app: App, private readonly host = 'localhost:80') {}

  get cookie (): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  }

  /** For requests of pages. */
  get headers (): Headers {
    return { cookie: this.cookie, 'sec-fetch-site': 'same-origin' }
  }

  async open (url: string, headers: Headers = {}) {
    const { pathname, search } = new URL(url, `http://${this.host}`)
    const cookie = this.cookie === '' ? {} : { cookie: this.cookie }
    const sent = { host: this.host, ...cookie, ...headers }
    const answer = await this.app.inject({ url: pathname + search, headers: sent })
    for (const { name, value, maxAge } of answer.cookies as { name: string, value: string, maxAge?: number }[]) {
      if (maxAge === 0 || value === '') this.cookies.delete(name)
      else this.cookies.set(name, value)
    }
    return answer
  }

  /** @returns the page of the code host that asks the person for consent */
  async begin (query = ''): Promise<string> {
    const answer = await this.open(`/codehost-oauth/authorize${query}`)
    return String(answer.headers.location)
  }

  /** Chooses at the code host. @returns where it sends the browser back to */
  async choose (url: string, login: string): Promise<string> {
    const target = new URL(url)
    if (login === '') target.searchParams.set('deny', '1')
    else target.searchParams.set('login', login)
    const answer = await fetch(target, { redirect: 'manual' })
    return String(answer.headers.get('location'))
  }

  /** The whole way. @returns the answer of the callback */
  async signIn (login: string, query = '') {
    return this.open(await this.choose(await this.begin(query), login))
  }

  async me () {
    return (await this.open('/account/me')).json()
  }
}
