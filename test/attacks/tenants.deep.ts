import t from '../tap.js'
import { buildApp } from '../app.js'
import { recordTables } from '../recorded.js'
import { callerOf, codeOf } from './access.js'
import { missing } from './belongings.js'
import { digest } from './digest.js'
import { addressOf, walk, type Operation, type Schema } from './operations.js'
import { sampleOf } from './samples.js'
import { makeWorlds, type World } from './three-workspaces.js'

t.setTimeout(300_000)

const limits = JSON.stringify({ requests_per_minute: 1_000_000, refused_credentials_per_minute: 1_000_000 })
const app = await buildApp(t, { LIMITS: limits, WORKER: 'false' })
const worlds = await makeWorlds(app)
/** Each workspace, and each of the two others' admins. */
const pairs = worlds.flatMap((world) => worlds.filter((one) => one !== world).map((stranger) => ({ world, stranger })))
const { operations, resolve } = walk(app)
const call = callerOf(app, resolve)
const named = operations.filter(({ path, isPublic }) => !isPublic && path.includes('{'))

/** Every request leaves its trace here. */
const recorded = [...recordTables, 'rate_window', 'account_session']

const nowhere = (name: string): string =>
  ({ version: '1', cluster: 'prod', repo_id: '7999', number: '1' })[name] ?? missing

/**
 * Whether what a path names may be the caller's own. Each workspace has an account of the same AWS, with a cluster of
 * the same name; the first one's admin is connected to the code host, and is an admin of the installation.
 */
const isOf = ({ name }: World, path: string): boolean => path.includes('{cluster}/services') ||
  (name === 'first' && (path.includes('{workspace_id}') || path.includes('{repo_id}')))

t.test('B15: what belongs to another workspace is as missing as what is not there, for every operation', async (t) => {
  t.same([named.length > 60, pairs.length], [true, 6])
  for (const { world, stranger } of pairs) {
    const before = await digest(world.app, recorded)
    for (const operation of named.filter(({ path }) => !isOf(stranger, path))) {
      const foreign = await call(operation, stranger.headers, (name) => world.idOf(operation, name))
      const absent = await call(operation, stranger.headers, nowhere)
      const title = `${operation.id}: ${stranger.name} in ${world.name}`
      t.same(codeOf(foreign), codeOf(absent), title)
      t.ok(foreign.statusCode >= 400, `${title} answers ${foreign.statusCode}`)
    }
    t.same(await digest(world.app, recorded), before, `and nothing of ${world.name} was touched`)
  }
})

/** The members of a body that name something: `session_id`, `project_id` and the like. */
const idsIn = (schema: Schema | undefined): string[] => {
  if (!schema) return []
  const { properties = {}, anyOf = [], oneOf = [] } = resolve(schema)
  const own = Object.keys(properties).filter((name) => name.endsWith('_id'))
  return [...new Set([...own, ...[...anyOf, ...oneOf].flatMap(idsIn)])]
}

/** @returns an id of that name in the workspace: of the operation's own area, or else of another */
const idIn = ({ idOf }: World, operation: Operation, name: string): string => {
  const own = idOf(operation, name)
  if (own !== missing) return own
  const others = operations.filter(({ parameters }) => parameters.some((one) => one.name === name && one.in === 'path'))
  return others.map((other) => idOf(other, name)).find((id) => id !== missing) ?? missing
}

/** What has no record of its own behind it, or none that a workspace holds alone. */
const ofNothing = ['revision_id', 'group_id', 'standard_id', 'confirmation_id', 'question_id', 'rule_id', 'target_id',
  'client_id']

t.test('B15: an id of another workspace in a query or a body is as missing as one that is not there', async (t) => {
  const answerTo = async ({ headers }: World, operation: Operation, name: string, id: string) => {
    const inBody = idsIn(operation.body).includes(name)
    const payload = operation.body && { ...Object(sampleOf(operation.body, resolve)), ...(inBody && { [name]: id }) }
    const answer = await app.inject({
      method: operation.method,
      url: addressOf(operation, (one) => one.in === 'path'
        ? nowhere(one.name)
        : one.name === name ? id : one.required ? String(sampleOf(one.schema, resolve)) : undefined),
      headers: { ...headers, prefer: 'wait=0' },
      ...(payload === undefined ? {} : { payload })
    })
    const isLines = /ndjson/.test(String(answer.headers['content-type']))
    // Of an export, what is between its header and its end.
    if (isLines) return [answer.statusCode, answer.payload.trimEnd().split('\n').slice(1, -1)]
    const { code, items } = answer.payload.startsWith('{') ? answer.json() : { code: answer.statusCode, items: [] }
    return [answer.statusCode, code, items]
  }
  /** @returns how many members were tried */
  const tryAll = async ({ world, stranger }: { world: World, stranger: World }): Promise<number> => {
    let count = 0
    for (const operation of operations.filter(({ isPublic }) => !isPublic)) {
      const inQuery = operation.parameters.filter((one) => one.in === 'query' && one.name.endsWith('_id'))
      for (const name of [...inQuery.map((one) => one.name), ...idsIn(operation.body)]) {
        if (ofNothing.includes(name) || isOf(stranger, `{${name}}`)) continue
        const id = idIn(world, operation, name)
        if (id === missing) throw new Error(`${operation.id}: no ${name} is there`)
        const foreign = await answerTo(stranger, operation, name, id)
        const absent = await answerTo(stranger, operation, name, nowhere(name))
        t.same(foreign, absent, `${operation.id}, ${name}: ${stranger.name} in ${world.name}`)
        count++
      }
    }
    return count
  }
  for (const pair of pairs) {
    t.not(pair.stranger.app.home.workspace_id, pair.world.app.home.workspace_id)
    const before = await digest(pair.world.app, [...recorded, 'idempotency_key'])
    t.ok(await tryAll(pair) > 30)
    t.same(await digest(pair.world.app, [...recorded, 'idempotency_key']), before, 'and nothing was touched')
  }
})
