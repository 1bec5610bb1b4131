import t from '../tap.js'
import { asAdmin, buildApp } from '../app.js'
import { fill } from './belongings.js'
import { addressOf, walk, type Operation } from './operations.js'
import { dice, hostileTexts, hostileValues, sampleOf } from './samples.js'

/** The suite is repeatable; other seeds find other things. */
const seed = Number(process.env.TEST_SEED ?? 1)
const limits = JSON.stringify({
  requests_per_minute: 1_000_000, live_runs_per_user: 1_000_000, waiting_tool_calls_per_user: 1_000_000, wait_s: 1
})
const app = await buildApp(t, { LIMITS: limits, WORKER: 'false' })
const idOf = await fill(app)
const { operations, resolve } = walk(app)
const { pick } = dice(seed)

interface Shot { url: string, payload?: unknown }

const ownAddress = (operation: Operation) => addressOf(operation, ({ name, in: location, schema, required }) =>
  location === 'path' ? idOf(operation, name) : required ? String(sampleOf(schema, resolve)) : undefined)

/** One parameter at a time holds something hostile. */
const parameterShots = (operation: Operation): Shot[] => operation.parameters
  .filter(({ in: location }) => location !== 'header')
  .flatMap((attacked) => [pick(hostileTexts), pick(hostileTexts), pick(hostileTexts)].map((text) => ({
    url: addressOf(operation, (parameter) => parameter === attacked
      ? text.toWellFormed().slice(0, 4_000) || ' '
      : parameter.in === 'path' ? idOf(operation, parameter.name) : undefined)
  })))

/** Whole bodies of a wrong type or with unknown members, then one hostile member at a time. */
const bodyShots = (operation: Operation): Shot[] => {
  if (!operation.body) return []
  const url = ownAddress(operation)
  const schema = resolve(operation.body)
  const shapes = [schema, ...(schema.anyOf ?? schema.oneOf ?? []).map(resolve)]
  const valid = sampleOf(schema, resolve)
  const members = [...new Set(shapes.flatMap(({ properties }) => Object.keys(properties ?? {})))]
  const unknown = { ...Object(valid), role: 'admin', user_id: 'me' }
  const whole: unknown[] = [null, [], 'text', 7, pick(hostileValues), unknown]
  const single = members.flatMap((name) => [pick(hostileValues), pick(hostileValues), pick(hostileTexts)]
    .map((value) => ({ ...Object(valid), [name]: value })))
  return [valid, ...whole, ...single].map((payload) => ({ url, payload }))
}

const fire = async ({ method }: Operation, { url, payload }: Shot) => app.inject({
  method,
  url,
  headers: { ...asAdmin, prefer: 'wait=0', ...(payload === undefined ? {} : { 'content-type': 'application/json' }) },
  ...(payload === undefined ? {} : { payload: JSON.stringify(payload) }),
  signal: AbortSignal.timeout(10_000)
})

/** What was hostile and got in comes out as it was. */
const wrongEcho = (payload: unknown, answer: Record<string, unknown>): string[] =>
  Object.entries(Object(payload) as Record<string, unknown>)
    .filter(([name, value]) => typeof value === 'string' && typeof answer[name] === 'string' &&
      answer[name] !== value && answer[name] !== value.trim())
    .map(([name]) => name)

const judge = (operation: Operation, answer: Awaited<ReturnType<typeof fire>>, payload: unknown): string[] => {
  const { statusCode: status, headers } = answer
  const type = String(headers['content-type'] ?? '')
  if (status >= 500 && ![501, 502, 503, 504].includes(status)) return [`${status}`]
  if (status >= 400) {
    return type.startsWith('application/problem+json') && answer.json().code ? [] : [`${status} is ${type}`]
  }
  if (!type.startsWith('application/json') || operation.streams) return []
  return wrongEcho(payload, answer.json()).map((name) => `${name} came back changed`)
}

const shorten = ({ url, payload = null }: Shot) =>
  ({ url: url.slice(0, 300), payload: JSON.stringify(payload).slice(0, 300) })

// Reads first, removals last: what is attacked should be there.
const order = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']
const ordered = operations.filter(({ isPublic }) => !isPublic)
  .sort((a, b) => order.indexOf(a.method) - order.indexOf(b.method))

t.test(`C24, C25, C26: no operation crashes, whatever its input (TEST_SEED=${seed})`, async (t) => {
  let shots = 0
  for (const operation of ordered) {
    const wrong = []
    for (const shot of [...parameterShots(operation), ...bodyShots(operation)]) {
      shots++
      const answer = await fire(operation, shot).catch((error: Error) => error)
      if (answer instanceof Error) {
        if (!operation.streams) wrong.push({ ...shorten(shot), found: answer.message })
        continue
      }
      const found = judge(operation, answer, shot.payload)
      if (found.length > 0) wrong.push({ found, ...shorten(shot), answer: answer.payload.slice(0, 400) })
    }
    t.same(wrong, [], operation.id)
  }
  t.ok(shots > 1_000, `${shots} requests`)
})
