import { sql, type RawBuilder } from 'kysely'
import { codeOf } from '../schemas/unknown.js'
import { runSweep, type Bulkheads } from './bulkheads.js'
import { ping } from './clock.js'
import type { Db } from './index.js'

/**
 * Which workspaces a sweep looks at: all, or some where a server that has the others is dead.
 * @param condition of the sweep
 * @param columns that name the workspace, one of each table: what one says of another does not keep a Citus from asking
 *   every server; so a query within has a condition of its own
 * @returns the condition with that
 */
export interface Reach {
  (condition: RawBuilder<unknown>, ...columns: string[]): RawBuilder<boolean>
  /** The workspaces; undefined = all. */
  ids?: readonly string[]
}

// What a condition is of PostgreSQL, whatever it was called before.
export const everywhere: Reach = (condition) => condition as RawBuilder<boolean>

/** @returns what looks at these workspaces alone */
export const reachOf = (ids: readonly string[]): Reach => Object.assign(
  (condition: RawBuilder<unknown>, ...columns: string[]) => {
    const named = columns.length === 0 ? ['workspace_id'] : columns
    const all = named.map((column) => sql`${sql.ref(column)} = any(${ids}::uuid[])`)
    return sql<boolean>`((${condition}) and ${sql.join(all, sql` and `)})`
  }, { ids })

/** What was found out holds so long: sweeps, and load balancers, ask often. */
const holdsMs = 5_000

/** A worker that does not answer within so many milliseconds is not there. */
const silenceMs = 2_000

/** All shards, one after the other, with those of a silent worker among them. */
const listMs = 10_000

/** The coordinator cannot reach a worker. */
const isOfWorker = (error: unknown): boolean => /^080..$/.test(codeOf(error) ?? '')

/** A statement took longer than any may: perhaps it waited for a worker that is silent. */
const isLate = (error: unknown): boolean => codeOf(error) === '57014'

const hasCitus = async (db: Db): Promise<boolean> =>
  (await sql`select from pg_extension where extname = 'citus'`.execute(db)).rows.length > 0

/**
 * Runs a statement that asks workers, and waits for no connection to one that is silent.
 * @param ms how long it may take: by a connection that is kept, it waits for an answer of one that is silent
 */
const ask = <Row>(db: Db, ms: number, question: RawBuilder<Row>): Promise<Row | undefined> =>
  db.transaction().execute(async (trx) => {
    await sql`select set_config('citus.node_connection_timeout', ${String(silenceMs)}, true),
      set_config('statement_timeout', ${String(ms)}, true)`.execute(trx)
    return (await question.execute(trx)).rows[0]
  })

interface Found { is_whole: boolean, ids: string[] }

/** Each shard of the table by itself: those of a dead worker fail, and the rest are there. */
const listIds = (db: Db): Promise<Found | undefined> => ask(db, listMs, sql<Found>`
  with shard as materialized (select success, result from run_command_on_shards('workspace',
    'select coalesce(json_agg(id), ''[]'') from %s'))
  select (select bool_and(success) from shard) as is_whole,
    array(select json_array_elements_text(result::json) from shard where success) as ids`)

interface Node { host: string, port: number }

const listNodes = async (db: Db): Promise<Node[]> => (await sql<Node>`select nodename as host, nodeport as port
  from pg_dist_node where noderole = 'primary' and isactive and shouldhaveshards order by 1, 2`.execute(db)).rows

const answers = async (db: Db, { host, port }: Node): Promise<boolean> => {
  const question = sql<{ answers: boolean }>`
    select citus_check_connection_to_node(${host}, ${port}::integer) as answers`
  return (await ask(db, silenceMs, question))?.answers ?? false
}

/** The coordinator knows where each workspace is, also while the worker is silent. */
const listPlaces = async (db: Db, ids: readonly string[]) => (await sql<{ id: string, worker: string }>`
  select w.id, n.nodename || ':' || n.nodeport as worker
  from (select id, get_shard_id_for_distribution_column('workspace', id) as shard
    from unnest(${ids}::uuid[]) as id offset 0) as w
  join pg_dist_placement p on p.shardid = w.shard
  join pg_dist_node n on n.groupid = p.groupid and n.noderole = 'primary'`.execute(db)).rows

/** Asks each worker by itself; of one that was silent before, the same question is still open. */
class Questions {
  readonly #open = new Map<string, Promise<boolean>>()

  constructor (private readonly db: Db) {}

  /** @returns whether the worker answers in time */
  async ask (name: string, node: Node): Promise<boolean> {
    let question = this.#open.get(name)
    if (!question) {
      question = answers(this.db, node).catch(() => false).finally(() => this.#open.delete(name))
      this.#open.set(name, question)
    }
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<false>((resolve) => { timer = setTimeout(resolve, silenceMs, false) })
    return Promise.race([question, late]).finally(() => clearTimeout(timer))
  }
}

const listUnreachable = async (db: Db, questions: Questions): Promise<string[]> => {
  const unreachable: string[] = []
  await Promise.all((await listNodes(db)).map(async (node) => {
    const name = `${node.host}:${node.port}`
    if (!await questions.ask(name, node)) unreachable.push(name)
  }))
  return unreachable.toSorted()
}

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

/** The servers among which Citus has divided the workspaces. One that is dead harms its own, and no others. */
export class Workers {
  readonly #unreachable: Kept<string[]>
  readonly #living: Kept<Found>
  #isWhole = true

  /**
   * @param apart has connections of its own: what waits for a silent worker may hold all others
   * @param onChange once when a sweep first leaves workspaces out, and once when it does no more
   */
  constructor (private readonly apart: Db, private readonly onChange: (isWhole: boolean) => void,
    private readonly bulkheads?: Bulkheads) {
    bulkheads?.divide(async (worker) => {
      const isSilent = (await this.#unreachable.get()).includes(worker)
      // The next sweep would wait for it.
      if (isSilent) this.#note(false)
      return isSilent
    })
    const questions = new Questions(apart)
    this.#unreachable = new Kept(() => listUnreachable(apart, questions))
    this.#living = new Kept(async () => await listIds(apart) ?? { is_whole: true, ids: [] })
  }

  /** Notes on which worker each workspace is, for its share of the connections; of a silent worker's what was known. */
  async place (): Promise<void> {
    const rows = await this.sweep(async (reach) => (await sql<{ id: string }>`
      select id from workspace where ${reach(sql`true`, 'id')}`.execute(this.apart)).rows)
    this.bulkheads?.place(await listPlaces(this.apart, rows.map(({ id }) => id)))
  }

  /** @returns the workers that do not answer, by name, as of some seconds ago at most. @throws as `ping` */
  async listUnreachable (): Promise<string[]> {
    await ping(this.apart)
    return this.#unreachable.get()
  }

  /**
   * Looks over all workspaces; where a worker is dead, over those that the others have.
   * @throws what the look throws, when no worker is dead
   */
  sweep<Result> (look: (reach: Reach) => Promise<Result>): Promise<Result> {
    return runSweep(() => this.#sweep(look))
  }

  async #sweep<Result> (look: (reach: Reach) => Promise<Result>): Promise<Result> {
    const known = await this.#known().catch(() => undefined)
    if (known && !known.is_whole) return look(reachOf(known.ids))
    try {
      const result = await look(everywhere)
      this.#note(true)
      return result
    } catch (error) {
      if (!isOfWorker(error) && !(isLate(error) && await this.#lacksOne())) throw error
      const found = await this.#living.get()
      if (found.is_whole) throw error
      this.#note(false)
      return await look(reachOf(found.ids))
    }
  }

  /** While a worker is dead, it is asked before a look over all: that would wait for one that is silent. */
  async #known (): Promise<Found | undefined> {
    if (this.#living.fresh) return this.#living.fresh
    return !this.#isWhole && await this.#lacksOne() ? this.#living.get() : undefined
  }

  async #lacksOne (): Promise<boolean> {
    return (await this.#unreachable.get()).length > 0
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
 * @param openApart opens connections of their own, by which workers are asked
 * @param bulkheads of the database's pool
 * @returns undefined where it is none
 */
export const findWorkers = async (db: Db, onChange: (isWhole: boolean) => void, openApart = (): Db => db,
  bulkheads?: Bulkheads): Promise<Workers | undefined> => {
  if (!await hasCitus(db)) return undefined
  const found = new Workers(openApart(), onChange, bulkheads)
  workers.set(db, found)
  return found
}

/** What looks over all workspaces goes through here. @param look may be called twice */
export const sweep = <Result>(db: Db, look: (reach: Reach) => Promise<Result>): Promise<Result> =>
  workers.get(db)?.sweep(look) ?? look(everywhere)
