import { parse } from 'libpg-query'

/**
 * What a distributed database (Citus) asks of a statement, so that it goes to the one server that has the workspace.
 * Tried on Citus 13.2: docs/scaling.md.
 */
export const rules = {
  volatile: 'a volatile function beside a table: each server would have its own answer',
  'clock in a choice': 'a change with a clock within case or coalesce: is null or …, least, or a parameter',
  'clock in a conflict': 'a clock in on conflict: take the excluded row\'s',
  'clock in returning': 'a clock in returning: read it before',
  'case of a value': 'a change with case x when …: case when x = …',
  'function of a column': 'a change to what a stable function, or an interval, makes of a column',
  'subquery in values': 'a subquery within insert … values: a read of its own',
  'child first': 'a row of a child inserted before that of its parent in one statement: each insert is checked by itself',
  lock: 'for update of rows of no one workspace',
  workspace: 'a table whose workspace_id is not a parameter, in the same query or by a join there'
} as const
export type Rule = keyof typeof rules

type Node = Record<string, unknown>
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && !Array.isArray(value)
const list = (value: unknown): unknown[] => Array.isArray(value) ? value : []

/** Every node below, with its kind; what is below one of the kinds of `stops` is left out. */
function * nodesIn (value: unknown, stops: readonly string[] = []): Generator<[kind: string, node: Node]> {
  for (const one of list(value)) yield * nodesIn(one, stops)
  if (!isNode(value)) return
  for (const [key, child] of Object.entries(value)) {
    // The sides of a union are selects, without saying so.
    const isSide = /^[lr]arg$/.test(key) && isNode(child) && 'limitOption' in child
    const kind = isSide ? 'SelectStmt' : key
    if (isNode(child) && /^[A-Z]/.test(kind)) yield [kind, child]
    if (!stops.includes(kind)) yield * nodesIn(child, stops)
  }
}

const kindsIn = (value: unknown, kind: string): Node[] =>
  [...nodesIn(value)].flatMap(([found, node]) => found === kind ? [node] : [])

const wordsOf = (value: unknown): string[] => kindsIn(value, 'String').map(({ sval }) => String(sval))

const volatile = new Set(['clock_timestamp', 'timeofday', 'random', 'gen_random_uuid', 'nextval', 'setval',
  'pg_notify', 'steward_timeline'])
const stable = new Set(['now', 'statement_timestamp', 'transaction_timestamp', 'to_char', 'to_json', 'to_jsonb',
  'row_to_json', 'json_build_object', 'json_build_array', 'jsonb_build_object', 'current_setting'])

const functionsIn = (value: unknown): string[] => kindsIn(value, 'FuncCall')
  .map(({ funcname }) => wordsOf(funcname).at(-1) ?? '')

const hasClock = (value: unknown): boolean => kindsIn(value, 'SQLValueFunction').length > 0 ||
  functionsIn(value).some((name) => stable.has(name) || volatile.has(name))

const hasColumn = (value: unknown): boolean => kindsIn(value, 'ColumnRef').length > 0

const hasInterval = (value: unknown): boolean => functionsIn(value).includes('make_interval') ||
  kindsIn(value, 'TypeCast').some(({ typeName }) => wordsOf(typeName).includes('interval'))

const isParam = (value: unknown): boolean => isNode(value) &&
  (isNode(value.ParamRef) || (isNode(value.TypeCast) && isParam(value.TypeCast.arg)))

/** @returns the names of a column, such as `c.id` */
const columnOf = (value: unknown): string[] | undefined =>
  isNode(value) && isNode(value.ColumnRef) ? wordsOf(value.ColumnRef.fields) : undefined

/** Conditions that all hold. */
const allOf = (value: unknown): unknown[] => isNode(value) && isNode(value.BoolExpr) &&
  value.BoolExpr.boolop === 'AND_EXPR'
  ? list(value.BoolExpr.args).flatMap(allOf)
  : [value]

/** A query: what it reads and changes by itself, without the queries within. */
interface Query { kind: string, node: Node, tables: Map<string, string>, conditions: unknown[] }

const apart = ['SubLink', 'RangeSubselect', 'CommonTableExpr']

const queryOf = (kind: string, node: Node, distributed: ReadonlySet<string>): Query => {
  const from = [node.fromClause, node.usingClause]
  const read = [...nodesIn(from, apart)]
  const ranges = [...read.flatMap(([found, range]) => found === 'RangeVar' ? [range] : []),
    ...(kind !== 'InsertStmt' && isNode(node.relation) ? [node.relation] : [])]
  const tables = new Map(ranges.filter(({ relname }) => distributed.has(String(relname)))
    .map(({ relname, alias }) => [isNode(alias) ? String(alias.aliasname) : String(relname), String(relname)]))
  const quals = read.flatMap(([found, join]) => found === 'JoinExpr' ? [join.quals] : [])
  return { kind, node, tables, conditions: [node.whereClause, ...quals].flatMap(allOf) }
}

/** @returns the two sides of an equality. @param ofMany `= any($1)` is one as well */
const equalityOf = (value: unknown, ofMany: boolean): [unknown, unknown] | undefined => {
  if (!isNode(value) || !isNode(value.A_Expr)) return undefined
  const { kind, name, lexpr, rexpr } = value.A_Expr
  const isOne = kind === 'AEXPR_OP' || (ofMany && kind === 'AEXPR_OP_ANY')
  return isOne && wordsOf(name).join() === '=' ? [lexpr, rexpr] : undefined
}

/** `workspace_id = $1 or $2`: the second parameter is false, which a planner that keeps plans does not know. */
const orFalse = (value: unknown): unknown => {
  if (!isNode(value) || !isNode(value.BoolExpr) || value.BoolExpr.boolop !== 'OR_EXPR') return value
  const [first, second, ...more] = list(value.BoolExpr.args)
  return isParam(second) && more.length === 0 ? first : value
}

/**
 * @param ofMany some workspaces are named, not one. A join does not hand those on: Citus would ask every server for the
 *   other table
 */
const lacksWorkspace = ({ tables, conditions }: Query, ofMany = false): boolean => {
  const aliasesOf = (value: unknown): string[] => {
    const names = columnOf(value)
    const column = names?.at(-1)
    const aliases = names?.length === 1 ? [...tables.keys()] : names?.slice(0, 1) ?? []
    return aliases.filter((alias) => column === (tables.get(alias) === 'workspace' ? 'id' : 'workspace_id'))
  }
  const equalities = conditions.flatMap((one) => [equalityOf(orFalse(one), ofMany) ?? []])
  const named = new Set(equalities.flatMap(([left, right]) =>
    isParam(right) ? aliasesOf(left) : isParam(left) ? aliasesOf(right) : []))
  const joins = ofMany
    ? []
    : equalities.map(([left, right]) => [...aliasesOf(left), ...aliasesOf(right)])
      .filter((aliases) => aliases.length > 1)
  // From one to the next: as often as there are tables.
  for (let i = 0; i < tables.size; i++) {
    for (const join of joins) if (join.some((one) => named.has(one))) join.forEach((one) => named.add(one))
  }
  return [...tables.keys()].some((alias) => !named.has(alias))
}

/** An insert names the workspace of each row, or takes it from rows of which it is known. */
const insertsAnywhere = ({ relation, cols, selectStmt }: Node): boolean => {
  const key = isNode(relation) && relation.relname === 'workspace' ? 'id' : 'workspace_id'
  const at = list(cols).findIndex((column) => kindsIn(column, 'ResTarget').some(({ name }) => name === key))
  const [source] = kindsIn(selectStmt, 'SelectStmt')
  const rows = list(source?.valuesLists).map((row) => isNode(row) && isNode(row.List) ? list(row.List.items)[at] : row)
  if (rows.length > 0) return !rows.every(isParam)
  const made = kindsIn(list(source?.targetList)[at], 'ResTarget')[0]?.val
  return !isParam(made) && columnOf(made)?.at(-1) !== key
}

const ofUpdate = ({ node }: Query): Rule[] => {
  const own: Node = { ...node, withClause: undefined, returningClause: undefined }
  const choices = [...kindsIn(own, 'CaseExpr'), ...kindsIn(own, 'CoalesceExpr')]
  const ofColumns = kindsIn(own.targetList, 'FuncCall').some((call) => hasColumn(call.args) &&
    stable.has(wordsOf(call.funcname).at(-1) ?? '')) ||
    kindsIn(own.targetList, 'A_Expr').some((sum) => hasInterval(sum) && hasColumn(sum))
  return [
    ...(choices.some(hasClock) ? ['clock in a choice' as const] : []),
    ...(kindsIn(own, 'CaseExpr').some(({ arg }) => arg !== undefined) ? ['case of a value' as const] : []),
    ...(ofColumns ? ['function of a column' as const] : []),
    ...(hasClock(node.returningClause) ? ['clock in returning' as const] : [])
  ]
}

const ofInsert = ({ node }: Query): Rule[] => {
  const { selectStmt, onConflictClause, returningClause } = node
  const values = kindsIn(selectStmt, 'SelectStmt')[0]?.valuesLists
  return [
    ...(insertsAnywhere(node) ? ['workspace' as const] : []),
    ...(hasClock(onConflictClause) ? ['clock in a conflict' as const] : []),
    ...(hasClock(returningClause) ? ['clock in returning' as const] : []),
    ...(kindsIn(values, 'SubLink').length > 0 ? ['subquery in values' as const] : [])
  ]
}

const ofQuery = (query: Query): Rule[] => {
  const lacks = lacksWorkspace(query)
  return [
    ...(lacks ? ['workspace' as const] : []),
    ...(lacks && query.node.lockingClause !== undefined ? ['lock' as const] : []),
    ...(query.kind === 'InsertStmt' ? ofInsert(query) : query.kind === 'SelectStmt' ? [] : ofUpdate(query))
  ]
}

const queriesIn = (tree: unknown, distributed: ReadonlySet<string>): Query[] =>
  [...nodesIn(tree)].filter(([kind]) => statementKinds.test(kind))
    .map(([kind, node]) => queryOf(kind, node, distributed))

/** @returns whether a sweep that names the workspaces of living servers asks no other one: each query names them */
export const isRestricted = async (statement: string, distributed: ReadonlySet<string>): Promise<boolean> =>
  !queriesIn(await parse(statement), distributed).some((query) => lacksWorkspace(query, true))

const statementKinds = /^(?:Select|Insert|Update|Delete|Merge)Stmt$/

/** The tables to which the foreign keys of each table lead. */
export type Parents = ReadonlyMap<string, ReadonlySet<string>>

/** @returns the tables into which a statement inserts, in the order in which a Citus does it */
const insertsIn = (tree: unknown): string[] => {
  const intoOf = ({ withClause, relation, ...rest }: Node): string[] => {
    const within = isNode(withClause) ? list(withClause.ctes).flatMap(walk) : []
    return [...within, ...walk(rest), ...(isNode(relation) ? [String(relation.relname)] : [])]
  }
  const walk = (value: unknown): string[] => {
    if (Array.isArray(value)) return value.flatMap(walk)
    if (!isNode(value)) return []
    return Object.entries(value).flatMap(([kind, child]) =>
      kind === 'InsertStmt' && isNode(child) ? intoOf(child) : walk(child))
  }
  return walk(tree)
}

const isChildFirst = (tree: unknown, parents: Parents): boolean => {
  const tables = insertsIn(tree)
  return tables.some((table, index) => tables.slice(index + 1).some((later) =>
    later !== table && parents.get(table)?.has(later)))
}

/**
 * @param distributed names of the tables that are divided by workspace
 * @param parents the tables to which each of them refers
 * @returns the rules that a statement breaks, each once
 * @throws the error of PostgreSQL's parser
 */
export const breachesOf = async (statement: string, distributed: ReadonlySet<string>, parents: Parents = new Map()):
Promise<Rule[]> => {
  const tree = await parse(statement)
  const queries = queriesIn(tree, distributed)
  const touches = queries.some(({ tables, node }) => tables.size > 0 ||
    (isNode(node.relation) && distributed.has(String(node.relation.relname))))
  if (!touches) return []
  const isVolatile = functionsIn(tree).some((name) => volatile.has(name))
  const isOurs = ({ kind, node }: Query) => kind !== 'InsertStmt' ||
    (isNode(node.relation) && distributed.has(String(node.relation.relname)))
  return [...new Set([...(isVolatile ? ['volatile' as const] : []),
    ...(isChildFirst(tree, parents) ? ['child first' as const] : []), ...queries.filter(isOurs).flatMap(ofQuery)])]
}
