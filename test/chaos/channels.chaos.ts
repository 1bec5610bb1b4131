import { randomUUID } from 'node:crypto'
import t from '../tap.js'
import { endOf } from '../../routes/channels/lib/send/message.js'
import { converseAmongDeaths, startFleet } from './fleet.js'
import { openQueries, requirePostgres } from './postgres.js'
import { isOpen, proposersOf } from './proposing.js'
import { buttonsOf, questionIn, Reached, startProviders } from './reached.js'
import { sizes } from './sizes.js'
import { ask, makeVoters, requireTwo, type Voter } from './voters.js'

await requirePostgres(t)
const { providers, settings } = await startProviders(t)
const { slack, smtp, push } = providers
const fleet = await startFleet(t, sizes.apis, { waiting_tool_calls_per_user: 10_000 }, settings)
const { url } = fleet
const query = openQueries(t, fleet.world.env.DATABASE_URL ?? '')
const { voters, group } = await makeVoters(url, query)
const people = voters.map((voter) => new Reached(voter, url, providers))
for (const person of people) await person.hearEverywhere()
const { pick, propose, proposeByChat, statusOf } = proposersOf(fleet)

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** Longer than what a process held that died waits for its lease and the sweep, twice. */
const longestMs = 240_000

/** @returns what has not arrived by then */
const untilArrived = async (question: string, whom: Reached[]): Promise<string[]> => {
  for (const end = Date.now() + longestMs; ;) {
    const missing = whom.flatMap((person) => person.missing(question))
    if (missing.length === 0 || Date.now() > end) return missing
    await pause(200)
  }
}

interface Conversed { name: string, call: string, statuses: number[], status: string, missing: string[] }

/** All others decide at once by everything, until it has ended: a question that was replaced is decided anew. */
const decideAll = async (call: string, requester: Voter) => {
  const statuses: number[] = []
  const others = people.filter(({ voter }) => voter.id !== requester.id)
  const first = (await pick(call, requester)).confirmation_id
  const missing = await untilArrived(first, others)
  for (;;) {
    const status = await statusOf(call, requester)
    if (!isOpen(status)) return { statuses, status, missing }
    const { confirmation_id: question } = await pick(call, requester)
    statuses.push(...(await Promise.all(others.map((person) => person.decide(question)))).flat())
  }
}

const converse = async (index: number): Promise<Conversed> => {
  const { requester, name, call } = await propose(index, voters)
  await requireTwo(query, (await pick(call, requester)).confirmation_id, group)
  return { name, call, ...await decideAll(call, requester) }
}

/** Waits until there is nothing to send and no click to take. */
const untilQuiet = async (): Promise<number> => {
  for (const end = Date.now() + longestMs; ;) {
    const [row] = await query<{ left: string }>(`select ((select count(*) from channel_delivery
      where status = 'active' and (next_attempt_at is not null or lease_until is not null or wanted = 'pending'))
      + (select count(*) from channel_click))::text as left`)
    if (row?.left === '0' || Date.now() > end) return Number(row?.left)
    await pause(500)
  }
}

type Ended = { status: string, decided_by: { id: string, name: string } | null, summary: string }

const endedAs = async (question: string): Promise<Ended> => {
  const [row] = await query<{ user_id: string }>('select user_id from agent_confirmation where id = $1', [question])
  const requester = voters.find(({ id }) => id === row?.user_id)
  const { headers = {} } = requester ?? {}
  return (await ask<Ended>(url, 'GET', `/api/v1/agent/confirmations/${question}`, headers)).body
}

t.test(`${sizes.conversations} writes that people decide by every channel at once, while instances die`, async (t) => {
  const { ended, deaths } = await converseAmongDeaths(t, fleet, converse)
  t.equal(await untilQuiet(), 0, 'everything was sent')
  t.comment(`${ended.length} writes, ${deaths} deaths, ` +
    `unknown: ${ended.filter(({ status }) => status === 'unknown').length}; ${slack.messages.size} cards, ` +
    `${smtp.mails.length} mails, ${push.messages.length} pushed`)
  for (const { name, status, statuses, missing } of ended) {
    const made = (await query('select id from account_project where name = $1', [name])).length
    t.ok(status === 'succeeded' ? made === 1 : status === 'unknown' && made <= 1, `${status}, done ${made} times`)
    t.same(statuses.filter((code) => ![200, 403, 409].includes(code)), [])
    t.same(missing, [], 'each was delivered to everybody who may decide it')
  }
})

t.test('every card ends true, and is there once', async (t) => {
  const questions = new Set([...slack.messages.values()].map(({ blocks }) => questionIn(JSON.stringify(blocks)) ?? ''))
  t.ok(questions.size >= sizes.conversations)
  const wrong: string[] = []
  const expect = (holds: boolean, what: string) => { if (!holds) wrong.push(what) }
  for (const question of questions) {
    const end = await endedAs(question)
    const title = `${endOf({ status: end.status as 'approved', decided_by: end.decided_by as never })}: `
    expect(end.status !== 'pending', `${question} is open`)
    for (const one of people) {
      const [cards, mails, pushes] = [one.cards(question), one.mails(question), one.pushed(question)]
      expect(cards.length <= 1, `${cards.length} cards`)
      for (const card of cards) {
        expect(card.text.startsWith(title), `${card.text} is not ${title}`)
        expect(buttonsOf(card).every(({ action_id: id }) => id === 'open'), `${question} keeps buttons`)
      }
      expect(new Set(mails.map(({ headers }) => headers['message-id'])).size <= 1, 'two mails')
      expect(new Set(pushes.map(({ tag }) => tag)).size <= 1, 'two notifications')
      const last = pushes.at(-1)
      if (last) expect(last.title.startsWith(title), `${last.title} is not ${title}`)
    }
  }
  t.same(wrong, [])
})

t.test('a channel that is down, or hangs, delays no other', async (t) => {
  await smtp.close()
  push.manner = 'hang'
  t.teardown(() => { push.manner = 'take' })
  const [requester, ...others] = people
  if (!requester) throw new Error('There are four')
  for (let count = 0; count < 5; count++) {
    const call = await proposeByChat(requester.voter, `Project down ${count} ${randomUUID()}`)
    const { confirmation_id: question } = await pick(call, requester.voter)
    await requireTwo(query, question, group)
    const since = Date.now()
    while (others.some((person) => person.cards(question).length === 0)) {
      if (Date.now() - since > 30_000) break
      await pause(100)
    }
    t.ok(others.every((person) => person.cards(question).length === 1), `cards after ${Date.now() - since} ms`)
    await Promise.all(others.map((person) => person.press(question)))
    while (isOpen(await statusOf(call, requester.voter))) {
      if (Date.now() - since > 60_000) throw new Error('It was not decided')
    }
  }
  await smtp.open()
})
