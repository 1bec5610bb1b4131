import t from '../tap.js'
import { Follower, get, transcript } from './crash-client.js'
import { makeWorld } from './crash-steward.js'

interface Message { text: string, role: string, compaction: { window: number } | null }

const long = (turn: number): string => `${turn}: ${'so much to say '.repeat(1_800)}`

/** Long messages of a person: the third or fourth does not fit any more. */
const untilDeath = async (follower: Follower): Promise<number> => {
  for (let turn = 1; ; turn++) {
    const { end } = await follower.chat(long(turn))
    await end
    if (follower.seen.filter(({ event }) => event === 'done').length < turn) return turn
  }
}

for (const fault of ['compaction.before_commit:1', 'compaction.after_commit:1']) {
  t.test(`a process that dies at ${fault}: the conversation is compacted once, and goes on`, async (t) => {
    const limits = { lease_ms: 1_500, model_retry_base_ms: 10, context_tokens: 80_000, budget_session_usd: 100 }
    const world = await makeWorld(t, { LIMITS: JSON.stringify(limits) })
    const first = await world.start({ FAULT: fault })
    const follower = new Follower(first.url)
    const turns = await untilDeath(follower)
    t.match(await first.steward.exited, { signal: 'SIGKILL' })
    const { url } = await world.start()
    await (await follower.join(url)).end
    const events = transcript(follower.seen) as { event?: string, status?: string }[]
    t.same(events.filter(({ event }) => event === 'compacted').length, 1)
    t.match(events.at(-1), { event: 'done', status: 'completed' })
    const { items } = await get(url, `/api/v1/agent/sessions/${follower.sessionId}/messages?limit=100`)
    const messages = items as Message[]
    t.equal(messages.filter(({ compaction }) => compaction).length, 1)
    t.equal(messages.filter(({ role }) => role === 'user').length, turns, 'nothing that was said is lost')
    const bodies = world.anthropic.control.requests().filter(({ status }) => status === 400)
    t.same(bodies, [], 'every request was as the API takes it')
  })
}
