import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import t from '../../tap.js'
import { insertModelCall, type Payer } from '../../../db/model-spend.js'
import { SpendGate, type Hold } from '../../../lib/llm/gate.js'
import { workspace } from '../../app.js'
import { makePerson } from '../../routes/account/actors.js'

const app = await workspace(t, { WORKER: 'false' })
const cap = 1_000
const gateOf = (workspace?: number) => new SpendGate(app.db, () => ({ user: cap, workspace }), app.log)
const makePayer = (): Payer => ({ workspace_id: app.home.workspace_id, user_id: randomUUID() })
const { signal } = new AbortController()

/** The charge becomes a row, then the reservation goes. */
const pay = async (hold: Hold, micros: number) => {
  const counts = { input_tokens: 0, output_tokens: 0, cache_read_tokens: 0, cache_write_tokens: 0 }
  const row = { ...counts, cost_usd_micros: micros, provider_request_id: null, estimated: false }
  await insertModelCall(app.db, hold.payer, { purpose: 'title' }, { id: randomUUID(), model: 'm', ...row })
  hold.release(micros)
}

t.test('calls at the same time over two processes begin on no money that another one may need', async (t) => {
  const payer = makePayer()
  const gates = [gateOf(), gateOf()]
  let [open, most, begun] = [0, 0, 0]
  // Each may cost 400 and costs it: the third reaches the budget, whatever process asks.
  const call = async (gate: SpendGate) => {
    const hold = await gate.reserve(payer, 400, signal)
    most = Math.max(most, ++open)
    begun++
    await new Promise((resolve) => setTimeout(resolve, 5))
    open--
    await pay(hold, 400)
  }
  const results = await Promise.allSettled(Array.from({ length: 12 }, (_, i) => call(gates[i % 2] ?? gateOf())))
  const reasons = results.flatMap((result) => result.status === 'rejected' ? String(result.reason) : [])
  t.equal(begun, 3)
  t.ok(most <= 3, `${most} at once`)
  t.same([...new Set(reasons)], ['DayBudgetReached: The budget of this person\'s day, 0.001 USD, is reached'])
  t.equal(reasons.length, 9)
})

t.test('a call waits for what others may cost, and goes on when they cost less', async (t) => {
  const payer = makePayer()
  const [one, other] = [gateOf(), gateOf()]
  const first = await one.reserve(payer, 5_000, signal)
  let isIn = false
  const second = other.reserve(payer, 5_000, signal).then((hold) => {
    isIn = true
    return hold
  })
  const third = one.reserve(payer, 1, signal)
  await new Promise((resolve) => setTimeout(resolve, 50))
  t.notOk(isIn)
  await pay(first, 10)
  await Promise.race([second, third])
  for (const hold of [second, third]) await pay(await hold, 10)
  t.ok(isIn, 'each had its turn')
})

t.test('a call that is aborted while it waits, or never releases its hold, blocks no other', async (t) => {
  const payer = makePayer()
  const gate = gateOf()
  await gate.reserve(payer, 5_000, signal)
  const abort = new AbortController()
  const waiting = gate.reserve(payer, 1, abort.signal)
  setTimeout(() => abort.abort(new Error('enough')), 20)
  await t.rejects(waiting, { message: 'enough' })
  await sql`update model_reservation set expires_at = now() - interval '1 second'
    where user_id = ${payer.user_id}`.execute(app.db)
  t.ok(await gateOf().reserve(payer, 1, signal), 'a process that died holds nothing for ever')
})

t.test('one person\'s budget is no other\'s', async (t) => {
  const gate = gateOf()
  const spender = makePayer()
  await pay(await gate.reserve(spender, 1, signal), cap)
  await t.rejects(gate.reserve(spender, 1, signal), { name: 'DayBudgetReached' })
  t.ok(await gate.reserve(makePayer(), 1, signal))
})

t.test('people who have a budget together begin no call on money that another one may need', async (t) => {
  const payers = await Promise.all(['Ada', 'Grace', 'Linus'].map(async (name) =>
    ({ workspace_id: app.home.workspace_id, user_id: (await makePerson(app, name, 'member')).id })))
  const gates = [gateOf(1_000), gateOf(1_000)]
  const results = await Promise.allSettled(Array.from({ length: 12 }, async (_, i) => {
    const hold = await (gates[i % 2] ?? gateOf()).reserve(payers[i % 3] ?? makePayer(), 400, signal)
    await pay(hold, 400)
  }))
  const reasons = results.flatMap((result) => result.status === 'rejected' ? String(result.reason) : [])
  t.equal(results.length - reasons.length, 3)
  t.same([...new Set(reasons)], ['DayBudgetReached: The budget of this workspace\'s day, 0.001 USD, is reached'])
  const [alone = makePayer()] = payers
  t.ok(await gateOf().reserve(alone, 1, signal), 'each has money left of their own')
})
