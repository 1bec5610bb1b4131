import { v7 as uuid } from 'uuid'
import type { PersonName, CreateUser, UpdateUser, User } from '../../schemas/account/users.js'
import { now, setOnce } from '../clock.js'
import { next, anyOf, contains, type Slice } from '../columns.js'
import { duplicateOf } from '../connection-errors.js'
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

const columns = ['id', 'name', 'email', 'role', 'status', 'revision', 'first_sign_in_at', 'created_at',
  'updated_at'] as const

export const listUsers = (db: Db, workspaceId: string, { before, limit }: Slice, name?: string): Promise<User[]> =>
  db.selectFrom('account_user').select(columns).where('workspace_id', '=', workspaceId)
    .$if(name !== undefined, (query) => query.where(contains('name', name)))
    .$if(before !== undefined, (query) => query.where('id', '<', String(before)))
    .orderBy('id', 'desc').limit(limit).execute()

/** @returns the names of active people, newest first */
export const listNames = (db: Db, workspaceId: string, { before, limit }: Slice, name?: string):
Promise<PersonName[]> =>
  db.selectFrom('account_user').select(['id', 'name']).where('workspace_id', '=', workspaceId)
    .where('status', '=', 'active')
    .$if(name !== undefined, (query) => query.where(contains('name', name)))
    .$if(before !== undefined, (query) => query.where('id', '<', String(before)))
    .orderBy('id', 'desc').limit(limit).execute()

export const findUser = (db: Db, workspaceId: string, id: string): Promise<User | undefined> =>
  db.selectFrom('account_user').select(columns).where('workspace_id', '=', workspaceId).where('id', '=', id)
    .executeTakeFirst()

/** @returns whether an error says that a user of the workspace has the e-mail address */
export const isDuplicateEmail = duplicateOf('account_user_email')

export const insertUser = (db: Db, workspaceId: string, user: CreateUser): Promise<User> =>
  db.insertInto('account_user')
    .values({
      workspace_id: workspaceId,
      id: uuid(),
      name: user.name,
      email: user.email ?? null,
      role: user.role,
      status: 'active'
    })
    .returning(columns).executeTakeFirstOrThrow()

/** @returns the changed user; undefined when there is none, or none of these revisions is current */
export const updateUser = (db: Db, workspaceId: string, id: string, change: UpdateUser, revisions?: number[]):
Promise<User | undefined> =>
  db.updateTable('account_user').set({ ...change, revision: next('revision'), updated_at: now })
    .where('workspace_id', '=', workspaceId).where('id', '=', id)
    .$if(revisions !== undefined, (query) => query.where('revision', '=', anyOf(revisions ?? [])))
    .returning(columns).executeTakeFirst()

/** @returns the active user, with the time of the first sign-in set, and locked until the transaction ends */
export const recordSignIn = (trx: Db, workspaceId: string, id: string): Promise<User | undefined> =>
  trx.updateTable('account_user').set({ first_sign_in_at: setOnce('first_sign_in_at', now) })
    .where('workspace_id', '=', workspaceId).where('id', '=', id).where('status', '=', 'active')
    .returning(columns).executeTakeFirst()

/** @returns the admin who has been here longest */
export const findFirstAdmin = (db: Db, workspaceId: string): Promise<{ id: string } | undefined> =>
  db.selectFrom('account_user').select('id').where('workspace_id', '=', workspaceId).where('role', '=', 'admin')
    .where('status', '=', 'active').orderBy('created_at').orderBy('id').limit(1).executeTakeFirst()

export const hasActiveAdmin = async (db: Db, workspaceId: string): Promise<boolean> =>
  await db.selectFrom('account_user').select('id').where('workspace_id', '=', workspaceId)
    .where('role', '=', 'admin').where('status', '=', 'active').limit(1).executeTakeFirst() !== undefined

/** @returns whether any admin has ever signed in with a browser */
export const hasAdminSignedIn = async (db: Db, workspaceId: string): Promise<boolean> =>
  await db.selectFrom('account_user').select('id').where('workspace_id', '=', workspaceId)
    .where('role', '=', 'admin').where('first_sign_in_at', 'is not', null).limit(1).executeTakeFirst() !== undefined
