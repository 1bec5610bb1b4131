import { readFileSync } from 'node:fs'
import t from 'tap'
import { v7 as uuid } from 'uuid'
import { parse } from 'yaml'
import { insertToken } from '../../db/account/tokens.js'
import { insertUser } from '../../db/account/users.js'
import { freshToken } from '../../plugins/tokens.js'
import { allScopes } from '../../schemas/account/scopes.js'
import { buildApp } from '../app.js'
import { makePerson } from '../routes/account/actors.js'
import { fill, missing } from './belongings.js'
import { digest } from './digest.js'
import { addressOf, walk, type Operation, type Schema } from './operations.js'
import { sampleOf } from './samples.js'

const limits = JSON.stringify({ requests_per_minute: 1_000_000, refused_credentials_per_minute: 1_000_000 })
const app = await buildApp(t, { LIMITS: limits, WORKER: 'false' })
const idOf = await fill(app)
const { operations, resolve } = walk(app)
const named = operations.filter(({ path, isPublic }) => !isPublic && path.includes('{'))

/** The admin of another workspace, who may do everything there. */
const makeStranger = async () => {
  const workspace_id = uuid()
  await app.db.insertInto('workspace').values({ id: workspace_id, name: 'Elsewhere' }).execute()
  const user = await insertUser(app.db, workspace_id, { name: 'Mallory', role: 'admin' })
  const { text, hash, prefix } = freshToken('pat')
  await insertToken(app.db, {
    workspace_id,
    user_id: user.id,
    name: 'all',
    hash,
    prefix,
    scopes: allScopes,
    assistant: false,
    expires_at: new Date(Date.now() + 86_400_000)
  })
  return { authorization: `Bearer ${text}` }
}

type Headers = Record<string, string>
interface Told { operationId: string }
type Answer = Awaited<ReturnType<typeof ask>>

const ask = (operation: Operation, headers: Headers, valueOf: (name: string) => string) => {
  const payload = operation.body && sampleOf(operation.body, resolve)
  return app.inject({
    method: operation.method,
    url: addressOf(operation, ({ name, in: place, required, schema }) =>
      place === 'path' ? valueOf(name) : required ? String(sampleOf(schema, resolve)) : undefined),
    headers: { ...headers, prefer: 'wait=0' },
    ...(payload === undefined ? {} : { payload: Object(payload) })
  })
}

/** Every request leaves its trace here. */
const recorded = ['audit', 'rate_window', 'account_session']

const nowhere = (name: string): string =>
  ({ version: '1', cluster: 'prod', repo_id: '7999', number: '1' })[name] ?? missing

t.test('B15: what belongs to another workspace is as missing as what is not there, for every operation', async (t) => {
  const stranger = await makeStranger()
  const before = await digest(app, recorded)
  t.ok(named.length > 60)
  for (const operation of named) {
    const foreign = await ask(operation, stranger, (name) => idOf(operation, name))
    const absent = await ask(operation, stranger, nowhere)
    const answers = [foreign, absent].map(({ statusCode, payload }) => [statusCode, JSON.parse(payload).code])
    t.same(answers[0], answers[1], operation.id)
    t.ok(foreign.statusCode >= 400, `${operation.id} answers ${foreign.statusCode}`)
  }
  t.same(await digest(app, recorded), before, 'and nothing was touched')
})

/** The members of a body that name something: `session_id`, `project_id` and the like. */
const idsIn = (schema: Schema | undefined): string[] => {
  if (!schema) return []
  const { properties = {}, anyOf = [], oneOf = [] } = resolve(schema)
  const own = Object.keys(properties).filter((name) => name.endsWith('_id'))
  return [...new Set([...own, ...[...anyOf, ...oneOf].flatMap(idsIn)])]
}

/** @returns an id of that name in the home workspace: of the operation's own area, or else of another */
const homeId = (operation: Operation, name: string): string => {
  const own = idOf(operation, name)
  if (own !== missing) return own
  const others = operations.filter(({ parameters }) => parameters.some((one) => one.name === name && one.in === 'path'))
  return others.map((other) => idOf(other, name)).find((id) => id !== missing) ?? missing
}

/** What has no record of its own behind it, or none that a workspace holds alone. */
const ofNothing = ['revision_id', 'group_id', 'standard_id', 'confirmation_id', 'question_id', 'rule_id']

t.test('B15: an id of another workspace in a query or a body is as missing as one that is not there', async (t) => {
  const stranger = await makeStranger()
  const before = await digest(app, [...recorded, 'idempotency_key'])
  let pairs = 0
  const tell = async (operation: Operation, name: string, id: string) => {
    const inBody = idsIn(operation.body).includes(name)
    const payload = operation.body && { ...Object(sampleOf(operation.body, resolve)), ...(inBody && { [name]: id }) }
    const answer = await app.inject({
      method: operation.method,
      url: addressOf(operation, (one) => one.in === 'path'
        ? nowhere(one.name)
        : one.name === name ? id : one.required ? String(sampleOf(one.schema, resolve)) : undefined),
      headers: { ...stranger, prefer: 'wait=0' },
      ...(payload === undefined ? {} : { payload })
    })
    const { code, items } = answer.payload.startsWith('{') ? answer.json() : { code: answer.statusCode, items: [] }
    return [answer.statusCode, code, items]
  }
  for (const operation of operations.filter(({ isPublic }) => !isPublic)) {
    const inQuery = operation.parameters.filter(({ name, in: place }) => place === 'query' && name.endsWith('_id'))
    for (const name of [...inQuery.map((one) => one.name), ...idsIn(operation.body)]) {
      if (ofNothing.includes(name)) continue
      const id = homeId(operation, name)
      if (id === missing) throw new Error(`${operation.id}: no ${name} is there`)
      t.same(await tell(operation, name, id), await tell(operation, name, nowhere(name)), `${operation.id}, ${name}`)
      pairs++
    }
  }
  t.ok(pairs > 30, `${pairs} members`)
  t.same(await digest(app, [...recorded, 'idempotency_key']), before, 'and nothing was touched')
})

/** @returns the operations whose answer to the person is of that kind */
const whichOf = async (asked: Operation[], headers: Headers, isIt: (answer: Answer) => boolean): Promise<string[]> => {
  const found = []
  // Signing out would end the asking.
  for (const operation of asked.filter(({ id, isPublic }) => !isPublic && id !== 'endCurrentSession')) {
    if (isIt(await ask(operation, headers, () => missing))) found.push(operation.id)
  }
  return found.sort()
}

const isRefused = ({ statusCode, payload }: Answer): boolean =>
  statusCode === 403 && JSON.parse(payload).code === 'insufficient_role'

t.test('B19: what a viewer may write is this, and nothing else', async (t) => {
  const viewer = await makePerson(app, 'Vera', 'viewer')
  const { account_user: _, ...before } = await digest(app, recorded)
  const writes = operations.filter(({ method }) => method !== 'GET')
  // What is their own: tokens (which can do no more than they can), sessions, the connection, the name.
  t.same(await whichOf(writes, viewer.headers, (answer) => !isRefused(answer)),
    ['createApiToken', 'disconnectCodehost', 'endBrowserSession', 'revokeApiToken', 'updateMe'])
  const { account_user: __, ...after } = await digest(app, recorded)
  t.same(after, before)
})

t.test('B19: what is an admin\'s alone is this', async (t) => {
  const member = await makePerson(app, 'Mona', 'member')
  // createStandard too, for a standard of the whole workspace: the smallest body that its schema takes says no scope.
  t.same(await whichOf(operations, member.headers, isRefused), [
    'createCloudAccount', 'createUser', 'createUserLink', 'deleteCloudAccount', 'deleteNamedStandard',
    'deleteStandard', 'getMetrics', 'getReceipt', 'getUser', 'inviteCodehostAccount', 'listReceipts', 'listUsers',
    'replaceBrand', 'updateCloudAccount', 'updateUser', 'updateWorkspace'
  ])
})

/** Not asked by role, each for its reason. */
const leftOut = {
  getHealth: 'asks nobody who they are',
  getReadiness: 'asks nobody who they are',
  getCodehostSignIn: 'a page for people who are not signed in',
  startCodehostAuthorization: 'signs in',
  completeCodehostAuthorization: 'signs in',
  receiveWebhook: 'takes a signature, not a person',
  createBrowserSession: 'signs in',
  endCurrentSession: 'signs out: anybody may'
}

t.test('B19: every operation of openapi.yaml is asked as a viewer, a member and an admin, but for these', async (t) => {
  const { paths } = parse(readFileSync('openapi.yaml', 'utf8')) as { paths: Record<string, Record<string, Told>> }
  const told = Object.values(paths).flatMap((path) => Object.values(path).map(({ operationId }) => operationId))
  const asked = operations.filter(({ id, isPublic }) => !isPublic && id !== 'endCurrentSession')
  t.same([...asked.map(({ id }) => id), ...Object.keys(leftOut)].toSorted(), told.toSorted())
  t.ok(asked.length > 130, `${asked.length} operations, 3 roles`)
  const viewer = await makePerson(app, 'Vito', 'viewer')
  const admin = await makePerson(app, 'Ada', 'admin')
  t.same(await whichOf(operations, admin.headers, isRefused), [], 'an admin may do everything')
  t.same(await whichOf(operations.filter(({ method }) => method === 'GET'), viewer.headers, isRefused),
    ['getMetrics', 'getReceipt', 'getUser', 'listReceipts', 'listUsers'], 'what a viewer may not read')
  t.same(await whichOf(operations, {}, ({ statusCode }) => statusCode !== 401), [], 'and nobody nothing')
})
