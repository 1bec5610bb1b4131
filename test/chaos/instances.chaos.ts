import t from '../tap.js'
import { addAccount } from '../flows/crash-steward.js'
import { Conversation } from './conversation.js'
import { killAtRandom, startFleet, type Fleet } from './fleet.js'
import { requirePostgres } from './postgres.js'
import { randomFrom, sizes } from './sizes.js'

await requirePostgres(t)

/** Counts what the sandbox really did, while its journal still holds it. @returns times by wanted count */
const countUpdates = (fleet: Fleet) => {
  const times = new Map<number, number>()
  let after = 0
  const look = async () => {
    const { calls } = await fleet.world.control(`/calls?operation=UpdateService&after=${after}`)
    for (const { sequence, executed, params } of calls) {
      after = Math.max(after, sequence)
      const wanted = params.desiredCount ?? -1
      if (executed) times.set(wanted, (times.get(wanted) ?? 0) + 1)
    }
  }
  return { times, look }
}

interface Ended { wanted: number, conversation: Conversation, status: unknown }

const converse = async (url: string, wanted: number): Promise<Ended> => {
  const conversation = new Conversation(url)
  const done = await conversation.say(`Scale web to ${wanted}`)
  if (done.status !== 'completed') throw new Error(`A run ended as ${JSON.stringify(done)}`)
  return { wanted, conversation, status: conversation.result('scaleService')?.status }
}

/** One after the other, until it is enough; each has a number of its own, by which its write is known. */
const converseAll = async (url: string, isEnough: (begun: number) => boolean) => {
  const settled: PromiseSettledResult<Ended>[] = []
  let begun = 0
  const person = async () => {
    while (!isEnough(begun)) settled.push(...await Promise.allSettled([converse(url, 10 + begun++)]))
  }
  await Promise.all(Array.from({ length: sizes.atOnce }, person))
  return settled
}

t.test(`I66: ${sizes.conversations} conversations with approved writes while instances die`, async (t) => {
  t.comment(`CHAOS_SEED=${sizes.seed}`)
  const fleet = await startFleet(t, sizes.apis)
  await addAccount(fleet.url)
  await fleet.world.control('/clock', { frozen: true })
  await fleet.world.speakSlowly(20)
  const began = Date.now()
  const killer = killAtRandom(fleet, randomFrom(sizes.seed), sizes.killEvery, sizes.deaths)
  const settled = await converseAll(fleet.url,
    (begun) => begun >= sizes.conversations && killer.deaths >= sizes.apis)
  await killer.stop()
  const ended = settled.flatMap((one) => one.status === 'fulfilled' ? [one.value] : [])
  const seconds = Math.round((Date.now() - began) / 1000)
  t.same(settled.flatMap((one) => one.status === 'rejected' ? [String(one.reason)] : []), [], 'every run completes')
  t.ok(killer.deaths >= sizes.apis, `instances died ${killer.deaths} times in ${seconds} s`)

  const updates = countUpdates(fleet)
  await updates.look()
  const wrong = ended.filter(({ wanted, status }) => {
    const times = updates.times.get(wanted) ?? 0
    return status === 'succeeded' ? times !== 1 : status !== 'unknown' || times > 1
  })
  t.same(wrong.map(({ wanted, status }) => ({ wanted, status, times: updates.times.get(wanted) })), [],
    'every write was done once, or is reported as unknown and was not done twice')
  t.comment(`unknown: ${ended.filter(({ status }) => status === 'unknown').length}; ` +
    `streams that broke: ${ended.reduce((sum, { conversation }) => sum + conversation.broken, 0)}`)

  const complaints: string[] = []
  for (const [index, { conversation }] of ended.entries()) {
    complaints.push(...await conversation.compare(fleet.apis[index % fleet.apis.length]?.url ?? ''))
  }
  t.same(complaints, [], 'every stream, as it was seen over all its connections, is what any instance streams')
  // All scale one service: where another was quicker the state has changed, 409, and the new question is approved.
  t.same(ended.filter(({ conversation: { decisions } }) =>
    !decisions.includes(200) || decisions.some((status) => status !== 200 && status !== 409)), [],
  'every decision was taken, or asked anew on another state, wherever it was made')

  const next = await Promise.all(ended.map(({ conversation }) => conversation.say('Which clusters do I have?')))
  t.same(next.filter(({ status }) => status !== 'completed'), [], 'every session takes a next message')
})
