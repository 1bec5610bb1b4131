import type { Test } from '../tap.js'
import { Follower, get, positions, transcript } from './crash-client.js'
import { addAccount, makeWorld, type World } from './crash-steward.js'

export interface Point {
  /** Where the process dies: `<point>:<hit>`. */
  fault: string
  /** How the write ends. */
  status: 'succeeded' | 'unknown'
  /** How many times the service was changed. */
  updates: 0 | 1
}

const decisionOf = ({ session_id, confirmation_id, input_digest }: Record<string, unknown>) =>
  ({ session_id, confirmation_id, input_digest })

/** Asks, and approves as soon as the assistant asks, until the process is gone. @returns whether it was approved */
const untilDeath = async (follower: Follower): Promise<void> => {
  const { end } = await follower.chat('Scale web to 4')
  const asked = follower.until('confirmation_required')
  const approved = asked.then((confirmation) => follower.confirm(decisionOf(confirmation))).catch(() => undefined)
  await end
  if (follower.find('confirmation_required')) await approved
}

/** Follows the run to its end in the new process; approves again, or for the first time: it is the same decision. */
const untilDone = async (t: Test, follower: Follower, url: string): Promise<void> => {
  const { status, end } = await follower.join(url)
  t.equal(status, 200, 'the session can be joined')
  const confirmation = await follower.until('confirmation_required')
  const decided = await follower.confirm(decisionOf(confirmation), url)
  t.equal(decided.status, 200, 'the decision is taken, or was')
  t.match(decided.body, { status: 'approved' })
  await end
}

const checkStream = async (t: Test, follower: Follower, url: string): Promise<void> => {
  const order = positions(follower.seen)
  t.same(order, order.toSorted((a, b) => a - b), 'nothing came out of order')
  t.equal(new Set(order).size, order.length, 'nothing came twice')
  const again = new Follower(url)
  again.sessionId = follower.sessionId
  const run = String(follower.find('confirmation_required')?.data.run_id)
  await (await again.join(url, `${run}:0`)).end
  t.same(transcript(follower.seen), transcript(again.seen), 'who was cut off saw what is stored, with no gap')
  t.equal(again.seen.filter(({ event, data }) => event === 'done' && data.final === true).length, 1, 'one stored done')
  t.match(again.seen.at(-1), { event: 'done', data: { status: 'completed', final: true } })
}

const checkWrite = async (t: Test, world: World, follower: Follower, url: string, point: Point): Promise<void> => {
  const results = follower.seen.filter(({ event, data }) => event === 'tool_result' && data.name === 'scaleService')
  t.same(results.map(({ data }) => data.status), [point.status], `the write is ${point.status}`)
  t.equal(await world.updates(), point.updates, `the service was changed ${point.updates} times`)
  const { items } = await get(url, `/api/v1/agent/sessions/${follower.sessionId}/messages?limit=100`)
  const calls = (items as { tool_calls: { name: string, status: string }[] }[]).flatMap((message) => message.tool_calls)
  t.same(calls.filter(({ name }) => name === 'scaleService').map(({ status }) => status), [point.status])
}

/** Kills a process at one point of an approved write, starts another on the same data, and looks at how it ends. */
export const surviveAt = async (t: Test, point: Point): Promise<void> => {
  const world = await makeWorld(t)
  const first = await world.start({ FAULT: point.fault })
  await addAccount(first.url)
  const follower = new Follower(first.url)
  await untilDeath(follower)
  t.same(await first.steward.exited, { code: null, signal: 'SIGKILL' }, 'it died where it should')

  const { steward, url } = await world.start()
  await untilDone(t, follower, url)
  await checkStream(t, follower, url)
  await checkWrite(t, world, follower, url, point)

  const next = new Follower(url)
  next.sessionId = follower.sessionId
  await (await next.chat('Which clusters do I have?')).end
  t.match(next.seen.at(-1), { event: 'done', data: { status: 'completed', final: true } }, 'the session goes on')
  t.same(await steward.kill('SIGTERM'), { code: 0, signal: null }, 'it stops cleanly')
}
