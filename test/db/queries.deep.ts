import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type pg from 'pg'
import t from '../tap.js'
import ts from 'typescript'
import type * as Index from '../../db/index.js'
import type * as Workers from '../../db/workers.js'
import { listSources } from '../guards/sources.js'
import { Samples } from './sample-values.js'

/**
 * Every statement that the code sends, as text, by the function of db/ that sends it. Each function is called with
 * values that its types allow, by a database that is none: it writes down what it is asked, and answers with no row or
 * with one. A change of SQL is a change of the snapshot, which is written anew by
 *
 *   UPDATE_QUERIES=1 node dist/test/db/queries.deep.js
 */
const snapshot = 'test/db/queries.snapshot.sql'

/** What is called with a database and has no statement of its own to show. */
const left: Record<string, string> = {
  'db/migrate.ts migrate': 'the migrations, and what Kysely asks to find which of them were run',
  'db/schema-tables.ts distribute': 'the migrations, and what only a Citus understands',
  'db/archive-rows.ts readSnapshot': 'its caller reads',
  'db/archive-rows.ts readRows': 'tables and columns are those of the catalog, and the rows come by a cursor',
  'db/archive-rows.ts insertRows': 'the same',
  'db/archive-rows.ts writeArchive': 'its caller writes',
  'db/statement.ts runText': 'its caller has the text',
  'db/workers.ts sweep': 'its caller looks',
  'db/durable/leases.ts takeLease': 'its callers name the table, and show the claims',
  'db/durable/leases.ts findClaimableBy': 'the same'
}

const payer = { workspace_id: 'text', user_id: 'text' }

/** Arguments that do not follow from a type: a function has other statements for them. */
const more: Record<string, unknown[][]> = {
  // What changes more is another statement.
  'db/agent/commit-run.ts commitRun': [[{}, { status: 'running', position: 1, events: [], endings: [{}] }]],
  // A call is reserved when it fits into what the day's budget leaves.
  'db/model-spend.ts reserveSpend': [[payer, { id: 'text', micros: 1, elsewhere: 0, cap: 1 }]],
  // A name is an id, or a key.
  'db/pse/standards.ts findStandard': [['text', '00000000-0000-7000-8000-000000000000']]
}

/** How the database that is none answers: with a row whose columns have this value, or with none. */
interface Answer { value: unknown, columns?: Record<string, unknown>, onlyFirst?: true, lacksWorker?: true }

const answers: (Answer | undefined)[] = [
  undefined,
  { value: 1 },
  // What a function goes on from when it finds 0, or this word.
  { value: 0, columns: { joined_by: 'link' } },
  // The row that is looked for is there, and nothing stands in the way.
  { value: null, onlyFirst: true },
  // A worker is dead: a sweep looks at the workspaces that the others have.
  { value: 1, lacksWorker: true }
]

/** A promise must not take a row for one. */
const rowOf = ({ value, columns = {} }: Answer): object => new Proxy(columns, {
  get: (target, name) => typeof name === 'symbol' || name === 'then' ? undefined : target[name] ?? value
})

const statements = new Set<string>()
let answer: Answer | undefined
let answered = 0

/** What is asked to find which workers live, and the workspaces that they have. */
const isOfLooking = /node_connection_timeout|run_command_on_shards|pg_dist_node|citus_check_connection/
const isOfTransaction = /^(?:begin|commit|rollback)$/
const anId = '00000000-0000-7000-8000-000000000000'

const client = {
  query: async (text: string) => {
    if (isOfLooking.test(text)) return { command: 'SELECT', rowCount: 1, rows: [{ is_whole: false, ids: [anId] }] }
    if (answer?.lacksWorker && !isOfTransaction.test(text)) {
      // What was sent before asks all workers.
      if (statements.has(text)) throw Object.assign(new Error('no connection'), { code: '08006' })
      statements.add(text)
    } else if (!answer?.lacksWorker) statements.add(text)
    if (text === 'begin') return { command: 'BEGIN', rowCount: 0, rows: [] }
    const rows = answer === undefined || (answer.onlyFirst && answered > 0) ? [] : [rowOf(answer)]
    answered++
    return { command: text.slice(0, 6).toUpperCase(), rowCount: rows.length, rows }
  },
  release: () => undefined
}

// The types are read by the compiler, which takes its time on a busy machine.
t.setTimeout(600_000)

const moduleOf = (file: string): Promise<Record<string, unknown>> =>
  import(pathToFileURL(join(process.cwd(), 'dist', file.replace(/\.ts$/, '.js'))).href)

const { openKysely } = await moduleOf('db/index.ts') as unknown as typeof Index
// Of a pool Kysely calls this, and nothing else.
const db = openKysely({ connect: async () => client } as unknown as pg.Pool)

/** The same as a Citus: its sweeps have another form. */
const divided = openKysely({ connect: async () => client } as unknown as pg.Pool)
const { findWorkers } = await moduleOf('db/workers.ts') as unknown as typeof Workers
answer = { value: 1 }
await findWorkers(divided, () => undefined)

const files = listSources('db').filter((file) => !file.startsWith('db/migrations/'))
const { config } = ts.readConfigFile('tsconfig.json', ts.sys.readFile) as { config: { compilerOptions: object } }
const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, process.cwd())
const program = ts.createProgram(files, { ...options, noEmit: true })
const checker = program.getTypeChecker()

const isDb = (type: ts.Type): boolean => type.symbol?.name === 'Kysely'

interface Query { name: string, run: (...values: unknown[]) => unknown, types: ts.Type[], node: ts.Node }

const typesOf = (type: ts.Type, node: ts.Node): ts.Type[] | undefined => {
  const types = type.getCallSignatures()[0]?.parameters.map((one) => checker.getTypeOfSymbolAtLocation(one, node))
  return types?.some(isDb) ? types : undefined
}

/** @returns what is called with a database: functions that a file exports, and those of the objects that it exports */
const queriesOf = async (file: string): Promise<Query[]> => {
  const node = program.getSourceFile(file)
  const symbol = node && checker.getSymbolAtLocation(node)
  if (!node || !symbol) return []
  const found: Query[] = []
  const add = (one: ts.Symbol, holder: Record<string, unknown>, name: string, isInner = false) => {
    const type = checker.getTypeOfSymbolAtLocation(one, node)
    const types = typesOf(type, node)
    const value = holder[one.name]
    // It is a function of this type: the compiler says so.
    if (types) found.push({ name: `${file} ${name}`, run: value as Query['run'], types, node })
    else if (!isInner && typeof value === 'object' && value !== null && !checker.isArrayType(type)) {
      for (const property of checker.getPropertiesOfType(type)) {
        add(property, value as Record<string, unknown>, `${name}.${property.name}`, true)
      }
    }
  }
  const module = await moduleOf(file)
  for (const one of checker.getExportsOfModule(symbol)) if (one.name in module) add(one, module, one.name)
  return found
}

/** A query that is only built is shown as well. */
const noteBuilt = (made: unknown) => {
  if (typeof made !== 'object' || made === null) return
  const { compile, sql = compile instanceof Function ? compile.call(made).sql : undefined } =
    made as { compile?: () => { sql: string }, sql?: string }
  if (typeof sql === 'string') statements.add(sql)
}

/** @returns the statements of a function, in the order in which they were first asked */
const statementsOf = async ({ name, run, types, node }: Query): Promise<string[]> => {
  statements.clear()
  const samplesFor = (asked: object) => [
    ...new Samples(checker, node).of(types, (type) => isDb(type) ? asked : undefined),
    ...(more[name] ?? []).map((values) => [asked, ...values])]
  for (answer of answers) {
    for (const values of samplesFor(answer?.lacksWorker ? divided : db)) {
      answered = 0
      // No answer is as it should be; what was sent before the function failed counts.
      noteBuilt(await new Promise((resolve) => { resolve(run(...values)) }).catch(() => undefined))
    }
  }
  return [...statements]
}

/** One line for each part of a statement, so that a difference shows where it is. */
const write = (statement: string): string => statement.trim().replace(/\s+/g, ' ')
  .replace(/(?<!delete) (?=(?:from|where|and|or|set|values|order by|group by|limit|returning|on conflict|(?:inner|left) join|for update|union)\b)/g, '\n  ')

const taken = new Map<string, string[]>()
for (const file of files) {
  for (const query of await queriesOf(file)) {
    if (left[query.name] === undefined) taken.set(query.name, await statementsOf(query))
  }
}

t.test('every function that is given a database shows its statements', async (t) => {
  t.ok(taken.size > 200, `${taken.size} functions`)
  t.same([...taken].filter(([, texts]) => texts.length === 0).map(([name]) => name), [])
})

t.test('the statements are those of the snapshot', async (t) => {
  const text = [...taken].sort(([a], [b]) => a < b ? -1 : 1)
    .map(([name, texts]) => `-- ${name}\n${texts.map((one) => `${write(one)};\n`).join('')}`).join('\n')
  if (process.env.UPDATE_QUERIES) writeFileSync(snapshot, text)
  t.equal(text, existsSync(snapshot) ? readFileSync(snapshot, 'utf8') : '')
})
