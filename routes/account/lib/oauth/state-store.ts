import type { Adapter, AdapterPayload } from 'oidc-provider'
import {
  consumeState, deleteState, deleteStatesOfGrant, findState, findStateOfUserCode, putState, wasConsumedWithin,
  type StateKey
} from '../../../../db/account/oauth-clients.js'
import { extendAssistant } from '../../../../db/account/assistants.js'
import { hashToken, keyOfToken } from '../../../../lib/security/tokens.js'
import { type OauthDeps, locate, repeatSeconds, successorOf } from './deps.js'

/** They live as long as months, and are named by nothing in their payload: the name is hashed, and kept nowhere. */
const plain = new Set(['RefreshToken', 'AuthorizationCode'])

/** What the library would go on from with a browser. Ours says who it is, each time anew. */
const forgotten = ['accountId', 'loginTs', 'authorizations', 'amr', 'acr'] as const

type Row = Awaited<ReturnType<typeof findState>>

const without = <T extends object>(value: T, keys: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(Object.entries(value).filter(([key]) => !keys.includes(key)))

/** States between two requests: any instance answers the next one. */
export class StateStore implements Adapter {
  /** @param reuse what is thrown to the second of two that come at once with what only one may use */
  constructor (private readonly deps: OauthDeps, private readonly model: string, private readonly reuse: () => Error) {}

  /** A refresh token says whose it is; all else is the installation's, until a person has said who they are. */
  #keyOf (id: string): StateKey | undefined {
    const { model, deps } = this
    if (model !== 'RefreshToken') return { workspaceId: deps.home.workspace_id, model, hash: hashToken(id) }
    const key = keyOfToken(deps, 'ort', id)
    return key && { ...key, model }
  }

  #keyFor (id: string): StateKey {
    const key = this.#keyOf(id)
    if (!key) throw new Error(`No ${this.model} has such an id`)
    return key
  }

  #context (key: StateKey): string {
    return `account_oauth_state|${key.model}|${key.hash.toString('hex')}`
  }

  async upsert (id: string, payload: AdapterPayload, seconds = 0): Promise<void> {
    const { db, secrets } = this.deps
    const key = this.#keyFor(id)
    const isPlain = plain.has(this.model)
    const kept = without(payload, this.model === 'Session' ? forgotten : isPlain ? ['jti'] : [])
    await putState(db, key, {
      payload: isPlain ? kept : null,
      encrypted: isPlain ? null : secrets.encrypt(this.#context(key), JSON.stringify({ ...kept, jti: id })),
      grant_id: payload.grantId ?? null,
      user_code: payload.userCode === undefined ? null : hashToken(payload.userCode)
    }, seconds)
    const grant = locate(payload.grantId)
    if (this.model === 'RefreshToken' && grant) await extendAssistant(db, grant.workspaceId, grant.id, seconds)
  }

  #read (context: string, row: Row): AdapterPayload | undefined {
    if (!row) return undefined
    const { payload, encrypted, consumed_at: at } = row
    // It lives for minutes, so that no rotation of keys waits for it: without its key it is as one that has expired.
    if (encrypted && this.deps.secrets.ageOf(encrypted) === 'unknown') return undefined
    // What was written is what the library gave.
    const read = (encrypted ? JSON.parse(this.deps.secrets.decrypt(context, encrypted)) : payload) as AdapterPayload
    return at ? { ...read, consumed: Math.floor(at.getTime() / 1_000) } : read
  }

  async find (id: string): Promise<AdapterPayload | undefined> {
    const key = this.#keyOf(id)
    const row = key && await findState(this.deps.db, key)
    const read = key && this.#read(this.#context(key), row)
    if (!read) return undefined
    const { consumed, ...fresh } = read
    const isRepeated = consumed !== undefined && this.model === 'RefreshToken' && await this.#mayRepeat(key, id)
    return { ...(isRepeated ? fresh : read), jti: id }
  }

  /** @returns whether a refresh token that was used is answered once more */
  async #mayRepeat ({ workspaceId }: StateKey, id: string): Promise<boolean> {
    const { db } = this.deps
    const key = this.#keyFor(id)
    if (!await wasConsumedWithin(db, key, repeatSeconds)) return false
    const { hash } = successorOf(this.deps, 'ort', workspaceId, id)
    // Without a row, the request before ended between the two.
    return (await findState(db, { ...key, hash }))?.consumed_at == null
  }

  async findByUserCode (userCode: string): Promise<AdapterPayload | undefined> {
    const { db, home } = this.deps
    const row = await findStateOfUserCode(db, home.workspace_id, hashToken(userCode))
    if (!row) return undefined
    const key = { workspaceId: home.workspace_id, model: this.model, hash: row.hash }
    return this.#read(this.#context(key), row)
  }

  /** Only what ends with a browser's session is looked up so; nothing here does. */
  async findByUid (): Promise<undefined> { return undefined }

  async consume (id: string): Promise<void> {
    const { db } = this.deps
    const key = this.#keyFor(id)
    if (await consumeState(db, key)) return
    if (this.model !== 'RefreshToken' || !await this.#mayRepeat(key, id)) throw this.reuse()
  }

  async destroy (id: string): Promise<void> {
    await deleteState(this.deps.db, this.#keyFor(id))
  }

  async revokeByGrantId (grantId: string): Promise<void> {
    const { db, home } = this.deps
    const workspaceId = this.model === 'RefreshToken' ? locate(grantId)?.workspaceId : home.workspace_id
    if (workspaceId !== undefined) await deleteStatesOfGrant(db, workspaceId, this.model, grantId)
  }
}
