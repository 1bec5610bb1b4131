import t from '../tap.js'
import { Follower, get, send } from './crash-client.js'
import { addAccount, makeWorld } from './crash-steward.js'

/** Where the process dies: while the message comes, and while the decision that follows is taken. */
const points = [
  'park.before_commit', 'park.after_commit', 'confirm.before_commit', 'confirm.after_commit', 'park.resumed',
  'call.before_claim', 'results.before_commit', 'results.after_commit'
]

const settled = async (url: string, run: string): Promise<Record<string, unknown>> => {
  for (;;) {
    const now = await get(url, `/api/v1/agent/runs/${run}`)
    if (now.finished_at !== null) return now
    await new Promise((resolve) => { setTimeout(resolve, 50) })
  }
}

/** Says it until the session is free: whoever died there may have held it. */
const say = async (url: string, body: object): Promise<number> => {
  for (;;) {
    const answer = await send(url, '/api/v1/agent/chat', body)
    const text = await answer.text()
    if (answer.status !== 409 || !text.includes('session_busy')) return answer.status
    await new Promise((resolve) => { setTimeout(resolve, 200) })
  }
}

for (const fault of points) {
  t.test(`an approval beside its conversation survives a process that dies at ${fault}`, async (t) => {
    const world = await makeWorld(t)
    // Reads and their results come first, and are committed, too.
    const isLate = fault.startsWith('results')
    const first = await world.start(isLate ? {} : { FAULT: `${fault}:1` })
    await addAccount(first.url)
    const follower = new Follower(first.url)
    void (await follower.chat('Scale web to 4')).end
    const asked = await follower.until('confirmation_required')
    const { session_id, confirmation_id, run_id } = asked
    let { url } = first
    if (isLate) {
      await first.steward.kill('SIGTERM')
      url = (await world.start({ FAULT: `${fault}:1` })).url
    }
    const message = { message: 'Which clusters do I have?', session_id, wait_s: 0 }
    const idle = { message: 'Hello', session_id, wait_s: 0 }
    const body = isLate ? idle : message
    const said = await send(url, '/api/v1/agent/chat', body).then(async (answer) => answer.text()).catch(() => undefined)
    const decision = { session_id, confirmation_id, approved: true }
    await send(url, '/api/v1/agent/confirm', decision).then(async (answer) => answer.text()).catch(() => undefined)
    const again = await world.start()
    if (said === undefined) {
      // Nobody closed it: the person says it again, and decides later.
      t.equal(await say(again.url, body), 200)
    }
    const decided = await send(again.url, '/api/v1/agent/confirm', decision)
    t.equal(decided.status, 200, 'it can be decided, or was')
    t.match(await settled(again.url, String(run_id)), { status: 'completed' })
    t.equal(await world.updates(), 1, 'it ran once')
    const { items } = await get(again.url, `/api/v1/agent/sessions/${String(session_id)}/messages?limit=100`)
    const calls = (items as { tool_calls: { name: string, status: string }[] }[])
      .flatMap(({ tool_calls: made }) => made).filter(({ name }) => name === 'scaleService')
    t.same(calls.map(({ status }) => status), ['succeeded'])
  })
}
