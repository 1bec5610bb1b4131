import { currentEffects, performCommit } from '../effects.js'
import { Grouped, groupedByWorkspace, type OfWorkspace } from '../grouped.js'
import type { Db } from '../index.js'
import { commitRuns, type RunCommit, type RunKey, type RunStep } from './commit-run.js'
import { listPreferencesOf, type Preferences } from './preferences.js'
import {
  listRunsByKey, startInNewSessions, type KeyOfRun, type NewChat, type NewRun, type NewSession, type RunOfKey,
  type Started
} from './start-run.js'

const sizeOf = ({ change }: RunStep): number => change.events.reduce((sum, { data }) => sum + data.length, 0)

/** Persons whose preferences are kept. */
const maxKept = 1_000

/** All items of a statement are of one workspace. */
const workspaceOf = (items: readonly { workspace_id: string }[]): string => items[0]?.workspace_id ?? ''

/**
 * What all runs of this process read and write at each start and each step. What is of one workspace and ready together
 * goes in one statement, and so in one commit: each waits at most for the statement before it.
 */
export class RunBatches {
  readonly #steps: Grouped<RunStep, boolean>
  readonly #starts: Grouped<NewChat, Started>
  readonly #preferences: Grouped<OfWorkspace<string>, Preferences>
  /** By person; the oldest goes first. */
  readonly #kept = new Map<string, Preferences>()
  readonly #keys: Grouped<OfWorkspace<KeyOfRun>, RunOfKey | undefined>

  constructor (private readonly db: Db) {
    this.#steps = new Grouped({
      work: async (steps) => {
        const held = await commitRuns(db, workspaceOf(steps.map(({ key }) => key)), steps)
        return steps.map(({ key }) => held.has(key.run_id))
      },
      groupOf: ({ key }) => key.workspace_id,
      idOf: ({ key }) => key.run_id,
      sizeOf
    })
    this.#starts = new Grouped({
      work: (chats) => startInNewSessions(db, workspaceOf(chats.map(({ run }) => run)), chats),
      groupOf: ({ run }) => run.workspace_id,
      idOf: ({ run }) => run.run_id,
      sizeOf: ({ run }) => run.search_text.length * 2
    })
    this.#preferences = groupedByWorkspace((workspaceId, users) => listPreferencesOf(db, workspaceId, users))
    this.#keys = groupedByWorkspace((workspaceId, keys) => listRunsByKey(db, workspaceId, keys))
  }

  /** Stores a step of a run. @returns whether the caller still held it */
  commit (key: RunKey, change: RunCommit): Promise<boolean> {
    return this.#count(() => this.#steps.add({ key, change }))
  }

  /** Begins a run in a new session, already leased by the caller. @throws as isDuplicateRequest */
  start (run: NewRun, session: NewSession): Promise<Started> {
    return this.#count(() => this.#starts.add({ run, session }))
  }

  /** @returns the person's preferences as they were read last: a run that begins with them names their version */
  keptPreferences (workspaceId: string, userId: string): Preferences | undefined {
    return this.#kept.get(`${workspaceId} ${userId}`)
  }

  /** @returns the person's preferences, as they are after this was called */
  async readPreferences (workspaceId: string, userId: string): Promise<Preferences> {
    const read = await this.#preferences.add({ workspaceId, what: userId })
    const key = `${workspaceId} ${userId}`
    this.#kept.delete(key)
    this.#kept.set(key, read)
    const [oldest] = this.#kept.keys()
    if (this.#kept.size > maxKept && oldest !== undefined) this.#kept.delete(oldest)
    return read
  }

  /** @returns the run that an earlier chat request of the person with this key began */
  findByKey (workspace_id: string, user_id: string, key: string): Promise<RunOfKey | undefined> {
    return this.#keys.add({ workspaceId: workspace_id, what: { user_id, key } })
  }

  /** A statement is sent for many: each counts its own part of it as its own change. */
  #count<T> (store: () => Promise<T>): Promise<T> {
    const effects = currentEffects()
    return effects ? performCommit(effects, store, (query) => this.db.executeQuery(query), false) : store()
  }
}
