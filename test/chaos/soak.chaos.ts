import { readFileSync } from 'node:fs'
import t from '../tap.js'
import { asAdmin } from '../app.js'
import { addAccount } from '../flows/crash-steward.js'
import { Conversation, persist } from './conversation.js'
import { startFleet } from './fleet.js'
import { requirePostgres } from './postgres.js'
import { sizes } from './sizes.js'

await requirePostgres(t)
const fleet = await startFleet(t, 1, { live_runs_per_instance: sizes.soakStreams * 2 })
const [api] = fleet.apis
if (!api) throw new Error('There is no instance')
await addAccount(api.url)
await fleet.world.control('/clock', { frozen: true })

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
const endsAt = Date.now() + sizes.soakSeconds * 1_000
const isOver = () => Date.now() > endsAt

/** Milliseconds by what was done, and what went wrong. */
const times = new Map<string, number[]>()
const errors = new Map<string, number>()

const timed = async (what: string, work: () => Promise<string>): Promise<void> => {
  const began = performance.now()
  const error = await work().catch((thrown: unknown) => String(thrown))
  if (error !== '') errors.set(`${what}: ${error}`, (errors.get(`${what}: ${error}`) ?? 0) + 1)
  else times.set(what, [...times.get(what) ?? [], performance.now() - began])
}

const read = (path: string) => timed(`GET ${path}`, async () => {
  const answer = await fetch(api.url + path, { headers: asAdmin })
  await answer.arrayBuffer()
  return answer.status === 200 ? '' : String(answer.status)
})

/** One of those who chat: a text that comes over seconds, again and again, each in a session of its own. */
const chatter = async (index: number): Promise<void> => {
  await pause(index * 20)
  while (!isOver()) {
    await timed('chat', async () => {
      const done = await new Conversation(api.url).say('Which clusters do I have?')
      return done.status === 'completed' ? '' : String(done.status)
    })
  }
}

const reader = async (): Promise<void> => {
  while (!isOver()) {
    for (const path of ['/api/v1/agent/sessions?limit=30', '/account/projects', '/cloud/accounts']) await read(path)
    await pause(100)
  }
}

const approver = async (): Promise<void> => {
  // It has two tasks at the beginning, and a write that changes nothing is refused.
  for (let wanted = 3; !isOver(); wanted = wanted % 40 + 2) {
    await timed('approved write', async () => {
      const conversation = new Conversation(api.url)
      await conversation.say(`Scale web to ${wanted}`)
      return conversation.result('scaleService')?.status === 'succeeded' ? '' : 'not done'
    })
    await pause(250)
  }
}

/** @returns resident memory in MiB */
const memoryOf = (pid: number): number =>
  Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_024

/** @returns growth by the line that fits best, in units of the values a step */
const slopeOf = (values: number[]): number => {
  const middle = (values.length - 1) / 2
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const above = values.reduce((sum, value, index) => sum + (index - middle) * (value - mean), 0)
  const below = values.reduce((sum, _value, index) => sum + (index - middle) ** 2, 0)
  return below === 0 ? 0 : above / below
}

const watchMemory = async (pid: number): Promise<number[]> => {
  const seen: number[] = []
  while (!isOver()) {
    await pause(1_000)
    seen.push(memoryOf(pid))
  }
  return seen
}

const lowSeconds = 120

/** @returns the lowest value of every two minutes of values a second */
const lowest = (values: number[]): number[] =>
  Array.from({ length: Math.floor(values.length / lowSeconds) }, (_, index) =>
    Math.min(...values.slice(index * lowSeconds, (index + 1) * lowSeconds)))

const quantile = (values: number[], part: number): number =>
  Math.round(values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * part)] ?? 0)

t.test(`${sizes.soakStreams} streams with reads and approvals for ${sizes.soakSeconds} s`, async (t) => {
  await fleet.world.speakSlowly(60)
  const [memory] = await Promise.all([
    watchMemory(api.pid),
    ...Array.from({ length: sizes.soakStreams }, (_, index) => chatter(index)),
    ...Array.from({ length: 3 }, reader),
    approver()
  ])
  for (const [what, values] of times) {
    t.comment(`${what}: ${values.length}, p50 ${quantile(values, 0.5)} ms, p99 ${quantile(values, 0.99)} ms`)
  }
  // The first half warms up: code, caches, pools. Garbage comes and goes; what is kept shows when there is least of it.
  const growth = slopeOf(lowest(memory.slice(Math.floor(memory.length / 2)))) * 60 / lowSeconds
  const shown = memory.filter((_value, index) => index % 10 === 0).map((value) => Math.round(value))
  t.comment(`memory: ${shown.join(', ')} MiB; in the second half ${growth.toFixed(1)} MiB a minute`)
  t.same(Object.fromEntries(errors), {}, 'no error')
  t.ok(times.get('chat')?.length, 'people chatted')
  // In the short form the heap has not settled; there the figure is only reported.
  if (!sizes.isShort) t.ok(growth < 1, 'memory is flat')
})

t.test('six times as many chats as an instance may execute: it refuses at once, and recovers', async (t) => {
  // Long enough that none ends while a busy machine still sends the others.
  await fleet.world.speakSlowly(1_000)
  const began = await Promise.all(Array.from({ length: sizes.soakStreams * 6 }, async () => {
    const at = performance.now()
    const answer = await fetch(`${api.url}/api/v1/agent/chat`, {
      method: 'POST',
      headers: { ...asAdmin, 'content-type': 'application/json', prefer: 'respond-async' },
      body: JSON.stringify({ message: 'Which clusters do I have?' })
    })
    const { code } = await answer.json() as { code?: string }
    const wait = answer.headers.get('retry-after')
    return { status: answer.status, code, wait, ms: performance.now() - at }
  }))
  const refused = began.filter(({ status }) => status === 503)
  t.same(began.filter(({ status }) => status !== 503 && status !== 202), [], 'taken, or refused')
  t.ok(refused.length > 0)
  t.same(refused.filter(({ code, wait }) => code !== 'overloaded' || wait === null), [], 'each says when to retry')
  t.comment(`${refused.length} of ${began.length} refused, the slowest within ` +
    `${Math.round(Math.max(...refused.map(({ ms }) => ms)))} ms`)
  await fleet.world.speakSlowly(0)
  await persist(() => fetch(`${api.url}/api/v1/agent/chat`, {
    method: 'POST',
    headers: { ...asAdmin, 'content-type': 'application/json', prefer: 'respond-async' },
    body: JSON.stringify({ message: 'Which clusters do I have?' })
  }))
  t.equal((await new Conversation(api.url).say('Which clusters do I have?')).status, 'completed', 'it goes on')
})
