import { randomUUID } from 'node:crypto'
import t from '../tap.js'
import { asAdmin } from '../app.js'
import { until } from '../chat.js'
import { startBehindProxy } from './behind-proxy.js'
import { requirePostgres } from './postgres.js'
import { sizes } from './sizes.js'
import type { Way } from './tcp-proxy.js'

await requirePostgres(t)

const { proxy, steward, url, query } = await startBehindProxy(t)

interface Answer { status: number, code: unknown, retryAfter: string | null, type: string | null, ms: number }

const acknowledged: string[] = []

const write = async (): Promise<Answer> => {
  const name = randomUUID()
  const began = Date.now()
  const answer = await fetch(`${url}/account/projects`, {
    method: 'POST',
    headers: { ...asAdmin, 'content-type': 'application/json', 'idempotency-key': name },
    body: JSON.stringify({ name })
  })
  const { code } = await answer.json() as { code?: unknown }
  if (answer.status === 201) acknowledged.push(name)
  const [retryAfter, type] = ['retry-after', 'content-type'].map((header) => answer.headers.get(header)) as string[]
  return { status: answer.status, code, retryAfter: retryAfter ?? null, type: type ?? null, ms: Date.now() - began }
}

/** People who write all the time, for as long as something else takes. @returns what they were answered */
const writeDuring = async (people: number, work: () => Promise<void>): Promise<Answer[]> => {
  const ended = new AbortController()
  const answers: Answer[] = []
  const person = async () => { while (!ended.signal.aborted) answers.push(await write()) }
  const all = Promise.all(Array.from({ length: people }, person))
  await work().finally(() => ended.abort())
  await all
  return answers
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** @returns how long it took until a write succeeded again */
const recovered = async (): Promise<number> => {
  const began = Date.now()
  while ((await write()).status !== 201) await pause(100)
  return Date.now() - began
}

const isTruthful = ({ status, code, retryAfter, type }: Answer): boolean => status === 201 ||
  (status === 503 && code === 'database_unavailable' && retryAfter !== null && type === 'application/problem+json')

/** Who writes when the database is spoilt: each was answered once before, however busy the machine is. */
const people = 12

const ways: { name: string, seconds: number, spoil: () => void }[] = [
  { name: 'breaks every connection', seconds: 1, spoil: () => proxy.reset() },
  { name: 'is down', seconds: sizes.isShort ? 4 : 30, spoil: () => proxy.become('down') },
  { name: 'is late', seconds: sizes.isShort ? 4 : 30, spoil: () => proxy.become({ lateMs: 150 } satisfies Way) },
  { name: 'swallows everything', seconds: sizes.isShort ? 6 : 60, spoil: () => proxy.become('hole') }
]

for (const { name, seconds, spoil } of ways) {
  t.test(`I60: a database that ${name}: 503 with Retry-After, and it goes on without a restart`, async (t) => {
    const before = acknowledged.length
    const answers = await writeDuring(people, async () => {
      await until(() => acknowledged.length >= before + people)
      spoil()
      await pause(seconds * 1_000)
      proxy.become('open')
    })
    const ms = await recovered()
    t.same(answers.filter((answer) => !isTruthful(answer)), [], 'every answer is a success or says what is wrong')
    t.comment(`${answers.length} answers, ${answers.filter(({ status }) => status === 503).length} of them 503; ` +
      `the slowest took ${Math.max(...answers.map((answer) => answer.ms))} ms; back after ${ms} ms`)
    const rows = await query<{ name: string }>('select name from account_project')
    const kept = new Set(rows.map((row) => row.name))
    t.same(acknowledged.filter((one) => !kept.has(one)), [], `all of ${acknowledged.length} acknowledged are there`)
    const burst = await Promise.all(Array.from({ length: 20 }, write))
    t.same(burst.filter(({ status }) => status !== 201), [], 'no connection of the pool is stuck')
    t.equal((await fetch(`${url}/ready`)).status, 200)
    t.equal(steward.child.exitCode, null, 'the process is the same')
  })
}
