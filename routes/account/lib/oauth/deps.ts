import type { FastifyInstance } from 'fastify'
import type Provider from 'oidc-provider'
import type { Adapter, errors as Errors } from 'oidc-provider'

/** What the authorization server is given. */
export type OauthDeps = Pick<FastifyInstance, 'db' | 'home' | 'secrets' | 'config' | 'outbound' | 'log' | 'unnumbered'>

/** What of the library is loaded when it is needed. */
export interface Library { Provider: typeof Provider, errors: typeof Errors }

export const day = 86_400

/** Seconds. A consent holds 90 days at most, and 30 after its last refresh. */
export const lives = { access: 900, refresh: 30 * day, grant: 90 * day, code: 60, deviceCode: 900, consent: 900 }

/** What the library asks of a store, of which each of ours does a part. */
export class Refusing implements Adapter {
  constructor (private readonly model: string) {}

  #refuse (): Promise<never> {
    return Promise.reject(new Error(`${this.model} is not kept in this way`))
  }

  upsert (..._: Parameters<Adapter['upsert']>): ReturnType<Adapter['upsert']> { return this.#refuse() }
  find (..._: Parameters<Adapter['find']>): ReturnType<Adapter['find']> { return this.#refuse() }
  findByUserCode (..._: Parameters<Adapter['findByUserCode']>): ReturnType<Adapter['find']> { return this.#refuse() }
  findByUid (..._: Parameters<Adapter['findByUid']>): ReturnType<Adapter['find']> { return this.#refuse() }
  consume (..._: Parameters<Adapter['consume']>): ReturnType<Adapter['consume']> { return this.#refuse() }
  destroy (..._: Parameters<Adapter['destroy']>): ReturnType<Adapter['destroy']> { return this.#refuse() }
  revokeByGrantId (..._: Parameters<Adapter['revokeByGrantId']>): ReturnType<Adapter['consume']> {
    return this.#refuse()
  }
}
