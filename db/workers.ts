import { sql } from 'kysely'
import { codeOf } from '../schemas/thrown.js'
import type { Db } from './index.js'
import { everywhere, reachOf, type Reach } from './reach.js'

/** What was found out holds so long: sweeps, and load balancers, ask often. */
const holdsMs = 5_000

/** A worker that does not take a connection within so many milliseconds is not there. */
const connectMs = 2_000

/** A coordinator that cannot reach a worker; or whose statement took too long, as when a worker is silent. */
const isOfWorker = (error: unknown): boolean => /^(?:080..|57014)$/.test(codeOf(error) ?? '')

const hasCitus = async (db: Db): Promise<boolean> =>
  (await sql`select from pg_extension where extname = 'citus'`.execute(db)).rows.length > 0

/** Runs a statement that asks every worker, and waits for none that is silent. */
const ask = <Row>(db: Db, question: ReturnType<typeof sql<Row>>): Promise<Row | undefined> =>
  db.transaction().execute(async (trx) => {
    await sql`select set_config('citus.node_connection_timeout', ${String(connectMs)}, true)`.execute(trx)
    return (await question.execute(trx)).rows[0]
  })

interface Found { is_whole: boolean, ids: string[] }

/** Each shard of the table by itself: those of a dead worker fail, and the rest are there. */
const listIds = (db: Db): Promise<Found | undefined> => ask(db, sql<Found>`
  with shard as materialized (select success, result from run_command_on_shards('workspace',
    'select coalesce(json_agg(id), ''[]'') from %s'))
  select (select bool_and(success) from shard) as is_whole,
    array(select json_array_elements_text(result::json) from shard where success) as ids`)

export interface Reachable { unreachable: string[], reachable: number }

const listWorkers = (db: Db): Promise<Reachable | undefined> => ask(db, sql<Reachable>`
  with worker as materialized (select nodename || ':' || nodeport as name,
      citus_check_connection_to_node(nodename, nodeport) as answers
    from pg_dist_node where noderole = 'primary' and isactive and shouldhaveshards)
  select array(select name from worker where not answers order by name) as unreachable,
    (select count(*)::integer from worker where answers) as reachable`)

/** Keeps an answer for a while; whoever asks meanwhile shares it. */
class Kept<Answer> {
  #answer: Promise<Answer> | undefined
  #until = 0

  constructor (private readonly read: () => Promise<Answer>) {}

  /** @returns what is kept, if it is not old; also what is still being read */
  get fresh (): Promise<Answer> | undefined {
    return performance.now() < this.#until ? this.#answer : undefined
  }

  get (): Promise<Answer> {
    if (this.fresh) return this.fresh
    this.#until = Infinity
    const answer = this.read().then((read) => {
      this.#until = performance.now() + holdsMs
      return read
    }, (error: unknown) => {
      this.#until = 0
      throw error
    })
    this.#answer = answer
    return answer
  }
}

/** The servers among which Citus has divided the workspaces. One that is dead harms those that it has, and no others. */
export class Workers {
  readonly #state: Kept<Reachable>
  readonly #living: Kept<Found>
  #isWhole = true

  /** @param onChange once when a sweep first leaves workspaces out, and once when it does no more */
  constructor (db: Db, private readonly onChange: (isWhole: boolean) => void) {
    this.#state = new Kept(async () => await listWorkers(db) ?? { unreachable: [], reachable: 0 })
    this.#living = new Kept(async () => await listIds(db) ?? { is_whole: true, ids: [] })
  }

  /** @returns the workers that answer nothing, by name, and how many do, as of some seconds ago at most */
  list (): Promise<Reachable> {
    return this.#state.get()
  }

  /**
   * Looks over all workspaces; where a worker is dead, over those that the others have.
   * @throws what the look throws, when no worker is dead
   */
  async sweep<Result> (look: (reach: Reach) => Promise<Result>): Promise<Result> {
    const known = await this.#living.fresh?.catch(() => undefined)
    if (known && !known.is_whole) return look(reachOf(known.ids))
    try {
      const result = await look(everywhere)
      this.#note(true)
      return result
    } catch (error) {
      if (!isOfWorker(error)) throw error
      const found = await this.#living.get()
      if (found.is_whole) throw error
      this.#note(false)
      return await look(reachOf(found.ids))
    }
  }

  #note (isWhole: boolean): void {
    if (isWhole === this.#isWhole) return
    this.#isWhole = isWhole
    this.onChange(isWhole)
  }
}

/** By the database that is swept: a sweep has nothing else in its hands. A plain PostgreSQL has no workers. */
const workers = new WeakMap<Db, Workers>()

/**
 * Finds out, once, whether the database is a Citus, whose workers its sweeps then can do without.
 * @returns undefined where it is none
 */
export const findWorkers = async (db: Db, onChange: (isWhole: boolean) => void): Promise<Workers | undefined> => {
  if (!await hasCitus(db)) return undefined
  const found = new Workers(db, onChange)
  workers.set(db, found)
  return found
}

/** What looks over all workspaces goes through here. @param look may be called twice */
export const sweep = <Result>(db: Db, look: (reach: Reach) => Promise<Result>): Promise<Result> =>
  workers.get(db)?.sweep(look) ?? look(everywhere)
