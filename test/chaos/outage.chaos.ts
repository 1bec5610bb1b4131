import t from '../tap.js'
import { asAdmin } from '../app.js'
import { until } from '../chat.js'
import { addAccount } from '../flows/crash-steward.js'
import { startBehindProxy } from './behind-proxy.js'
import { Conversation, persist } from './conversation.js'
import { fall, Watched } from './outage.js'
import { requirePostgres } from './postgres.js'
import { content } from './paths/content.js'
import { generation } from './paths/generation.js'
import { sizes } from './sizes.js'

await requirePostgres(t)
const { world, proxy, steward, url, query } = await startBehindProxy(t)
await addAccount(url)
await world.speakSlowly(30)

/** @returns how often the sandbox really set the service to this count */
const countUpdates = async (wanted: number): Promise<number> => {
  const { calls } = await world.control('/calls?operation=UpdateService')
  return calls.filter(({ executed, params }) => executed && params.desiredCount === wanted).length
}

/** @returns what ends first; a run that hangs is reported before the file times out */
const withTimeout = async <T>(seconds: number, work: Promise<T>): Promise<T | 'hangs'> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<'hangs'>((resolve) => { timer = setTimeout(resolve, seconds * 1_000, 'hangs') })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}

/** Milliseconds from an approval to the end of the database: before the write, in its middle, and in the text after. */
const moments = sizes.isShort ? [50, 400, 900, 1_500] : Array.from({ length: 25 }, (_, index) => 25 + index * 75)

/** How many approve at once: an instance with several runs must drop those whose leases it lost. */
const atOnce = 4

/** Asks for a write and approves it. @returns what is wrong with what became of it, and of the next message */
const approve = async (wanted: number, onDecided: () => void): Promise<string[]> => {
  const conversation = new Conversation(url)
  conversation.onDecided = onDecided
  const done = await withTimeout(90, conversation.say(`Scale web to ${wanted}`))
  if (done === 'hangs') return [`${wanted}: ${conversation.runId} does not end`]
  const status = String(conversation.result('scaleService')?.status)
  const times = await countUpdates(wanted)
  const isTrue = status === 'succeeded' ? times === 1 : status === 'unknown' && times < 2
  const next = await withTimeout(90, conversation.say('Which clusters do I have?'))
  return [
    ...(done.status === 'completed' ? [] : [`${wanted}: ${JSON.stringify(done)}`]),
    ...(isTrue ? [] : [`${wanted}: ${status}, and was done ${times} times`]),
    ...(next !== 'hangs' && next.status === 'completed' ? [] : [`${wanted}: no next message: ${JSON.stringify(next)}`])
  ]
}

/**
 * Follows an answer that does not end, so that the instance holds a run whose lease it does not lose.
 * @returns a function that stops it and returns what was wrong with it
 */
const listen = async (message: string): Promise<() => Promise<string[]>> => {
  const text = 'Nothing of this is worth waiting for. '.repeat(300)
  world.anthropic.control.script({
    turns: [{ content: [{ type: 'text', text }], chunk: 4, delay_ms: 100 }], match: { text: message }
  })
  const conversation = new Conversation(url)
  const ended = conversation.say(message)
  await until(() => conversation.seen.length > 0)
  return async () => {
    await persist(() => fetch(`${url}/api/v1/agent/runs/${conversation.runId}/cancel`, {
      method: 'POST', headers: { ...asAdmin, 'content-type': 'application/json' }, body: '{}'
    }))
    const done = await withTimeout(60, ended)
    return done !== 'hangs' && done.status === 'cancelled' ? [] : [`${message}: ${JSON.stringify(done)}`]
  }
}

t.test('an approved write whose database becomes unavailable in the middle is claimed again', async (t) => {
  let wanted = 20
  for (const ms of moments) {
    // The write takes long enough to be met in its middle.
    await world.control('/faults', { kind: 'slow', operation: 'UpdateService', delay_ms: 600, times: atOnce })
    let fallen: Promise<void> | undefined
    const stop = await listen(`Tell a long story, number ${wanted}`)
    const all = Array.from({ length: atOnce }, () => approve(wanted++, () => { fallen ??= fall(proxy, ms) }))
    const complaints = (await Promise.all(all)).flat()
    t.same([...complaints, ...await stop()], [], `${ms} ms after an approval`)
    await fallen
  }
})

for (const [name, path] of Object.entries({ specs: generation, content })) {
  t.test(`a generation of ${name} whose database becomes unavailable in the middle is claimed again`, async (t) => {
    const watched = new Watched(t, world, query, url, '/generate')
    const go = await path.prepare(t, watched)
    for (const [index, ms] of [0, 100, 400, 1_000].entries()) {
      let fallen = Promise.resolve()
      watched.onRequested = () => { fallen = fall(proxy, ms) }
      t.same(await go(index), [], `${ms} ms after it was asked for`)
      await fallen
    }
  })
}

t.test('one of two reads ends while the database is unavailable: the process lives, and reads again', async (t) => {
  const message = 'Look at the clusters and the functions'
  const call = (name: string) => ({ type: 'tool_use' as const, name, input: {} })
  world.anthropic.control.script({
    turns: [{ content: [call('listClusters'), call('listFunctions')] }, { content: [{ type: 'text', text: 'Seen.' }] }],
    match: { text: message }
  })
  await world.control('/faults', { kind: 'slow', operation: 'ListClusters', delay_ms: 800 })
  await world.control('/faults', { kind: 'slow', operation: 'ListFunctions', delay_ms: 6_000 })
  const conversation = new Conversation(url)
  const ended = withTimeout(90, conversation.say(message))
  await until(() => conversation.seen.some(({ event }) => event === 'tool_call'))
  const [done] = await Promise.all([ended, fall(proxy, 100, 3_000)])
  t.match(done, { status: 'completed' })
  t.equal(steward.child.exitCode, null, 'the process is the same')
})
