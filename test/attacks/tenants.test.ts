import t from 'tap'
import { buildApp } from '../app.js'
import { makeStranger } from '../routes/account/actors.js'
import { callerOf, codeOf } from './access.js'
import { fill, missing } from './belongings.js'
import { digest } from './digest.js'
import { addressOf, walk, type Operation, type Schema } from './operations.js'
import { sampleOf } from './samples.js'

const limits = JSON.stringify({ requests_per_minute: 1_000_000, refused_credentials_per_minute: 1_000_000 })
const app = await buildApp(t, { LIMITS: limits, WORKER: 'false' })
const idOf = await fill(app)
const { operations, resolve } = walk(app)
const call = callerOf(app, resolve)
const named = operations.filter(({ path, isPublic }) => !isPublic && path.includes('{'))

/** Every request leaves its trace here. */
const recorded = ['audit', 'rate_window', 'account_session']

const nowhere = (name: string): string =>
  ({ version: '1', cluster: 'prod', repo_id: '7999', number: '1' })[name] ?? missing

t.test('B15: what belongs to another workspace is as missing as what is not there, for every operation', async (t) => {
  const stranger = await makeStranger(app)
  const before = await digest(app, recorded)
  t.ok(named.length > 60)
  for (const operation of named) {
    const foreign = await call(operation, stranger, (name) => idOf(operation, name))
    const absent = await call(operation, stranger, nowhere)
    t.same(codeOf(foreign), codeOf(absent), operation.id)
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
  const stranger = await makeStranger(app)
  const before = await digest(app, [...recorded, 'idempotency_key'])
  let pairs = 0
  const answerTo = async (operation: Operation, name: string, id: string) => {
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
    const inQuery = operation.parameters.filter((one) => one.in === 'query' && one.name.endsWith('_id'))
    for (const name of [...inQuery.map((one) => one.name), ...idsIn(operation.body)]) {
      if (ofNothing.includes(name)) continue
      const id = homeId(operation, name)
      if (id === missing) throw new Error(`${operation.id}: no ${name} is there`)
      const [foreign, absent] = [await answerTo(operation, name, id), await answerTo(operation, name, nowhere(name))]
      t.same(foreign, absent, `${operation.id}, ${name}`)
      pairs++
    }
  }
  t.ok(pairs > 30, `${pairs} members`)
  t.same(await digest(app, [...recorded, 'idempotency_key']), before, 'and nothing was touched')
})
