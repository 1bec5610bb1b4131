import { groupedByWorkspace, type Grouped, type OfWorkspace } from '../grouped.js'
import type { Db } from '../index.js'
import {
  listSessionOwners, listTokenOwners, touchSessions, touchTokens, type SessionOwner, type TokenOwner
} from './principals.js'

/**
 * The look-ups that every request makes first. Those that come together go in one statement, so a thousand requests at
 * once do not wait for each other's connections. Each statement is sent after all that it is for have come: what was
 * revoked before a request is revoked for it.
 */
export class Credentials {
  readonly #tokens: Grouped<OfWorkspace<Buffer>, TokenOwner | undefined>
  readonly #sessions: Grouped<OfWorkspace<Buffer>, SessionOwner | undefined>
  readonly #tokenUses: Grouped<OfWorkspace<string>, undefined>
  readonly #sessionUses: Grouped<OfWorkspace<string>, undefined>

  /** @param idleSeconds after which a browser session that is not used ends */
  constructor (db: Db, idleSeconds: number) {
    this.#tokens = groupedByWorkspace((workspaceId, hashes) => listTokenOwners(db, workspaceId, hashes))
    this.#sessions = groupedByWorkspace((workspaceId, hashes) => listSessionOwners(db, workspaceId, hashes))
    this.#tokenUses = groupedByWorkspace(async (workspaceId, ids) => {
      await touchTokens(db, workspaceId, ids)
      return ids.map(() => undefined)
    })
    this.#sessionUses = groupedByWorkspace(async (workspaceId, ids) => {
      await touchSessions(db, workspaceId, ids, idleSeconds)
      return ids.map(() => undefined)
    })
  }

  /** @returns the workspace's token with this hash and its owner, as they are after this was called */
  findToken (workspaceId: string, hash: Buffer): Promise<TokenOwner | undefined> {
    return this.#tokens.add({ workspaceId, what: hash })
  }

  /** @returns the workspace's browser session with this hash and its owner, as they are after this was called */
  findSession (workspaceId: string, hash: Buffer): Promise<SessionOwner | undefined> {
    return this.#sessions.add({ workspaceId, what: hash })
  }

  touchToken (workspaceId: string, id: string): Promise<undefined> {
    return this.#tokenUses.add({ workspaceId, what: id })
  }

  /** Moves the idle expiry on. */
  touchSession (workspaceId: string, id: string): Promise<undefined> {
    return this.#sessionUses.add({ workspaceId, what: id })
  }
}
