/** A cookie, and where a browser sends it. */
interface Cookie { name: string, value: string, path: string }

export interface Visit { status: number, location: string | undefined, text: string, headers: Headers }

const parseCookie = (line: string, url: URL): Cookie => {
  const [pair = '', ...attributes] = line.split(/;\s*/)
  const [name = '', value = ''] = [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]
  const path = attributes.find((one) => /^path=/i.test(one))?.slice(5) ?? url.pathname.replace(/\/[^/]*$/, '')
  const isGone = attributes.some((one) => /^(expires=thu, 01 jan 1970|max-age=0$)/i.test(one))
  return { name, value: isGone ? '' : value, path }
}

const covers = ({ path }: Cookie, url: URL): boolean =>
  url.pathname === path || url.pathname.startsWith(path.endsWith('/') ? path : `${path}/`)

/** A person's browser, as far as a flow of redirects needs one: it keeps cookies by their path and runs no script. */
export class Visitor {
  readonly #cookies = new Map<string, Cookie>()

  /** @param cookie of a session, as one who is signed in has it */
  constructor (readonly base: string, cookie?: string) {
    if (cookie !== undefined) this.#keep(parseCookie(`${cookie}; Path=/`, new URL(base)))
  }

  #keep (cookie: Cookie): void {
    const key = `${cookie.name} ${cookie.path}`
    if (cookie.value === '') this.#cookies.delete(key)
    else this.#cookies.set(key, cookie)
  }

  /** One request, whose redirect is not followed. */
  async visit (address: string, init: RequestInit = {}): Promise<Visit> {
    const url = new URL(address, this.base)
    // The longer path goes first (RFC 6265, 5.4): of two with one name a server takes that one.
    const sent = [...this.#cookies.values()].filter((cookie) => covers(cookie, url))
      .toSorted((one, other) => other.path.length - one.path.length)
    const headers = {
      accept: 'text/html,application/json',
      'sec-fetch-site': 'same-origin',
      ...init.headers as Record<string, string>,
      ...(sent.length > 0 && { cookie: sent.map(({ name, value }) => `${name}=${value}`).join('; ') })
    }
    const answer = await fetch(url, { ...init, headers, redirect: 'manual' })
    for (const line of answer.headers.getSetCookie()) this.#keep(parseCookie(line, url))
    const location = answer.headers.get('location') ?? undefined
    return { status: answer.status, location, text: await answer.text(), headers: answer.headers }
  }

  /** Goes where redirects lead, within the site. @returns the last answer, whose redirect leads elsewhere, if any */
  async follow (address: string): Promise<Visit> {
    let last = await this.visit(address)
    while (last.location?.startsWith(this.base) && !last.location.includes('#')) last = await this.visit(last.location)
    return last
  }

  async json (method: string, path: string, body?: object): Promise<{ status: number, body: Record<string, unknown> }> {
    const answer = await this.visit(path, {
      method, headers: { 'content-type': 'application/json' }, ...(body && { body: JSON.stringify(body) })
    })
    return { status: answer.status, body: answer.text === '' ? {} : JSON.parse(answer.text) as Record<string, unknown> }
  }

  async form (path: string, fields: Record<string, string>): Promise<Visit> {
    return this.visit(path, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(fields).toString()
    })
  }

  /** Comes to the consent page. @returns the request's id */
  async ask (authorizeUrl: string): Promise<string> {
    const { location, text } = await this.follow(authorizeUrl)
    const id = /#\/connect\/([\w-]+)$/.exec(location ?? '')?.[1]
    if (id === undefined) throw new Error(`No consent is asked: ${location} ${text}`)
    return id
  }

  /** Decides on the consent page. @returns where the browser is sent, to the client */
  async decide (id: string, body: object = { decision: 'allow' }): Promise<Visit> {
    const { status, body: { continue_url: url } } = await this.json('POST', `/oauth/consents/${id}/decision`, body)
    if (status !== 200) throw new Error(`The decision is answered ${status}`)
    return this.follow(String(url))
  }
}
