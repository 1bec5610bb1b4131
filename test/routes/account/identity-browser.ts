import type { Test } from '../../tap.js'
import { startOpenidSandbox, type OpenidSandbox } from 'steward-sandbox/openid'
import { asAdmin, buildApp, type App, type AppTest } from '../../app.js'

export const startSandbox = async (t: Pick<Test, 'teardown'>): Promise<OpenidSandbox> => {
  const sandbox = await startOpenidSandbox()
  t.teardown(() => sandbox.close())
  return sandbox
}

const limits = JSON.stringify({ sign_ins_per_minute: 100_000, requests_per_minute: 1_000_000 })

/** A Steward that may ask the providers of the test, which are on this machine. */
export const buildWithProviders = (t: AppTest, more: Record<string, string> = {}): Promise<App> =>
  buildApp(t, { OUTBOUND_ALLOW: '127.0.0.1', LIMITS: limits, ...more })

/** Adds a provider as an admin does. @returns its id */
export const addProvider = async (app: App, { issuer, client }: Pick<OpenidSandbox, 'issuer' | 'client'>,
  more: object = {}, headers: Record<string, string> = asAdmin): Promise<string> => {
  const payload = { issuer, name: 'Acme', client_id: client.id, secret: client.secret, ...more }
  const made = await app.inject({ method: 'POST', url: '/account/identity-providers', headers, payload })
  if (made.statusCode !== 201) throw new Error(made.payload)
  return made.json().id
}

export const changeProvider = async (app: App, id: string, payload: object) =>
  app.inject({ method: 'PATCH', url: `/account/identity-providers/${id}`, headers: asAdmin, payload })

/** What a browser does: it keeps the cookies of each site, and goes where it is sent. */
export class Browser {
  readonly cookies = new Map<string, string>()
  #elsewhere = new Map<string, string>()

  constructor (private readonly app: App, private readonly host = 'localhost:80') {}

  get headers (): Record<string, string> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    return { host: this.host, 'sec-fetch-site': 'same-origin', ...(cookie !== '' && { cookie }) }
  }

  async open (url: string, more: Record<string, string> = {}) {
    const { pathname, search } = new URL(url, `http://${this.host}`)
    return this.#keep(await this.app.inject({ url: pathname + search, headers: { ...this.headers, ...more } }))
  }

  async post (url: string, payload: object = {}) {
    return this.#keep(await this.app.inject({ method: 'POST', url, headers: this.headers, payload }))
  }

  #keep<Answer extends { cookies: object[] }> (answer: Answer): Answer {
    for (const { name, value, maxAge } of answer.cookies as { name: string, value: string, maxAge?: number }[]) {
      if (maxAge === 0 || value === '') this.cookies.delete(name)
      else this.cookies.set(name, value)
    }
    return answer
  }

  /** @returns the provider's page */
  async begin (provider: string, query = ''): Promise<string> {
    const answer = await this.open(`/identity/${provider}/authorize${query}`)
    if (answer.statusCode !== 302) throw new Error(answer.payload)
    return String(answer.headers.location)
  }

  /** Goes through the provider's pages. @returns where they lead back to */
  async visit (url: string): Promise<string> {
    let next = url
    for (let hops = 0; hops < 12 && !new URL(next).pathname.endsWith('/callback'); hops++) {
      const cookie = [...this.#elsewhere].map(([name, value]) => `${name}=${value}`).join('; ')
      const answer = await fetch(next, { redirect: 'manual', headers: { cookie } })
      for (const line of answer.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
        this.#elsewhere.set(name, value)
      }
      const location = answer.headers.get('location')
      if (location === null) throw new Error(`${next} answers ${answer.status}: ${await answer.text()}`)
      next = new URL(location, next).href
    }
    return next
  }

  /** The whole way. @returns the answer of the callback */
  async signIn (provider: string, query = '') {
    return this.open(await this.visit(await this.begin(provider, query)))
  }

  /** Two tabs of one browser: the provider knows it. */
  shareProvider (other: Browser): void {
    this.#elsewhere = other.#elsewhere
  }

  /** Presses the button of the provider's page. @returns where it leads */
  async confirmLogout (url: string): Promise<string> {
    const cookie = () => [...this.#elsewhere].map(([name, value]) => `${name}=${value}`).join('; ')
    const page = await fetch(url, { headers: { cookie: cookie() } })
    for (const line of page.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      this.#elsewhere.set(name, value)
    }
    const [, xsrf = ''] = /name="xsrf" value="([^"]+)"/.exec(await page.text()) ?? []
    const answer = await fetch(new URL('/session/end/confirm', url), {
      method: 'POST',
      redirect: 'manual',
      headers: { cookie: cookie() },
      body: new URLSearchParams({ xsrf, logout: 'yes' })
    })
    return String(answer.headers.get('location'))
  }

  async me () {
    return (await this.open('/account/me')).json()
  }
}
