import { ECSClient, UpdateServiceCommand } from '@aws-sdk/client-ecs'
import t, { type Test } from '../tap.js'
import { asAdmin } from '../app.js'
import { until } from '../chat.js'
import { addAccount, launch, makeWorld, type World } from '../flows/crash-steward.js'
import { Cluster } from './cluster.js'
import { Conversation, persist } from './conversation.js'
import { chaosLimits } from './limits.js'
import { requirePostgres } from './postgres.js'
import { SANDBOX_CREDENTIALS } from '../../packages/sandbox/src/aws/constants.js'
import { sizes } from './sizes.js'

await requirePostgres(t)

const json = { ...asAdmin, 'content-type': 'application/json' }
const people = sizes.isShort ? 12 : 200

/** A primary and its standby, and a Steward that knows both. */
const startPair = async (t: Test, isSynchronous: boolean) => {
  const primary = await Cluster.start(t)
  const standby = await primary.standby(t)
  await until(async () => (await primary.query('select 1 from pg_stat_replication where state = $$streaming$$')).length)
  if (isSynchronous) {
    await primary.query("alter system set synchronous_standby_names = '*'")
    await primary.query('select pg_reload_conf()')
  }
  const world = await makeWorld(t, { LIMITS: JSON.stringify(chaosLimits) })
  const database = `postgres://postgres@${primary.host},${standby.host}/postgres?target_session_attrs=read-write`
  const steward = launch(t, { ...world.env, DATABASE_URL: database })
  const url = await steward.listening()
  await addAccount(url)
  return { primary, standby, world, steward, url }
}

/** @returns how often a service was really scaled, by the count that was wanted */
const scaledTimes = async (world: World) => {
  const { calls } = await world.control('/calls?operation=UpdateService')
  const times = new Map<number, number>()
  for (const { executed, params: { desiredCount: count = -1 } } of calls) {
    if (executed) times.set(count, (times.get(count) ?? 0) + 1)
  }
  return times
}

/** How often a write may have been done that ended so. */
const allowed = new Map<unknown, number[]>([['succeeded', [1]], ['failed', [0]], ['unknown', [0, 1]]])

interface Question { preview: { label: string }[] }

/** Makes one project after the other, as a client that comes back when the database is there again. */
const writeUntil = async (url: string, ended: AbortSignal, acknowledged: string[]): Promise<void> => {
  for (let count = 0; !ended.aborted; count++) {
    const name = `Acknowledged ${count}`
    const answer = await fetch(`${url}/account/projects`,
      { method: 'POST', headers: json, body: JSON.stringify({ name }) })
    await answer.body?.cancel()
    if (answer.status === 201) acknowledged.push(name)
    else if (answer.status === 503) await new Promise((resolve) => setTimeout(resolve, 50))
    else throw new Error(`A write was answered ${answer.status}`)
  }
}

/** A person who looks into the inbox now and then: an approval whose answer an outage took is given again. */
const approveUntil = async (url: string, ended: AbortSignal): Promise<void> => {
  while (!ended.aborted) {
    await new Promise((resolve) => setTimeout(resolve, 5_000))
    const inbox = await fetch(`${url}/api/v1/agent/confirmations?status=pending`, { headers: asAdmin })
    const { items = [] } = await inbox.json() as { items?: Record<string, unknown>[] }
    for (const { id, session_id, requested_at } of items) {
      if (Date.now() - Date.parse(String(requested_at)) < 15_000) continue
      const body = JSON.stringify({ session_id, confirmation_id: id, approved: true })
      await (await fetch(`${url}/api/v1/agent/confirm`, { method: 'POST', headers: json, body })).body?.cancel()
    }
  }
}

t.test(`a primary dies while ${people} conversations run: what was acknowledged to a synchronous standby is there`,
  async (t) => {
    const { primary, standby, world, steward, url } = await startPair(t, true)
    await world.speakSlowly(20)
    const acknowledged: string[] = []
    const ended = new AbortController()
    const writer = writeUntil(url, ended.signal, acknowledged)
    const approver = approveUntil(url, ended.signal)
    const conversations = Array.from({ length: people }, () => new Conversation(url))
    const conversing = Promise.allSettled(conversations.map((one, index) => one.say(`Scale web to ${10 + index}`)))
    await until(() => conversations.filter(({ decisions }) => decisions.length > 0).length >= people / 3)
    primary.stop('immediate')
    const died = Date.now()
    standby.promote()
    const promoted = Date.now()
    const before = acknowledged.length
    await until(() => acknowledged.length > before)
    t.comment(`promoted ${promoted - died} ms after the death; a write acknowledged ${Date.now() - promoted} ms later`)
    const ends = await conversing
    ended.abort()
    await Promise.all([writer, approver])
    const answers = conversations.flatMap(({ decisions }) => decisions)
    t.comment(`decisions were answered ${[...new Set(answers)].toSorted().join(', ')}`)
    t.same(ends.flatMap((end) => end.status === 'rejected' ? [String(end.reason)] : end.value.status),
      Array.from({ length: people }, () => 'completed'), 'every run ends')
    const names = new Set((await standby.query<{ name: string }>('select name from account_project'))
      .map(({ name }) => name))
    t.same(acknowledged.filter((name) => !names.has(name)), [], `all of ${acknowledged.length} acknowledged are there`)
    const times = await scaledTimes(world)
    const wrong = conversations.map((one, index) =>
      ({ status: one.result('scaleService')?.status, times: times.get(10 + index) ?? 0 }))
      .filter(({ status, times }) => !allowed.get(status)?.includes(times))
    t.same(wrong, [], 'every write was done once, failed and was not done, or is unknown and was not done twice')
    t.equal((await fetch(`${url}/ready`)).status, 200)
    t.equal(steward.child.exitCode, null, 'the process is the same')
  })

t.test('an executed write that an asynchronous standby has not seen does not run again without a question that says so',
  async (t) => {
    const { primary, standby, world, url } = await startPair(t, false)
    const conversation = new Conversation(url)
    const asked = new Promise<Record<string, unknown>>((resolve) => { conversation.onAsked = resolve })
    const conversing = conversation.say('Scale web to 4')
    const question = await asked
    const { session_id, confirmation_id, input_digest } = question
    const body = JSON.stringify({ session_id, confirmation_id, input_digest, approved: true })
    const approve = () => persist(() =>
      fetch(`${url}/api/v1/agent/confirm`, { method: 'POST', headers: json, body }))
    standby.stop('fast')
    t.equal((await approve()).status, 200)
    await until(async () => (await scaledTimes(world)).get(4) === 1)
    primary.stop('immediate')
    standby.start()
    standby.promote()

    const shown = await persist(() =>
      fetch(`${url}/api/v1/agent/confirmations/${String(confirmation_id)}`, { headers: asAdmin }))
    t.match(await shown.json(), { status: 'pending' }, 'the standby has not seen the decision')
    t.match(await (await approve()).json(), { code: 'state_changed', confirmation: null }, 'it is so already')
    t.equal((await scaledTimes(world)).get(4), 1, 'it ran once')
    // Somebody else undoes it, so there is something to do again, and nothing that says whether it was done.
    const ecs = new ECSClient({ endpoint: world.aws.url, region: 'eu-west-1', credentials: SANDBOX_CREDENTIALS })
    t.teardown(() => ecs.destroy())
    await ecs.send(new UpdateServiceCommand({ cluster: 'prod', service: 'web', desiredCount: 3 }))
    const again = await approve()
    t.equal(again.status, 409)
    const { code, confirmation } = await again.json() as { code: string, confirmation: Question }
    t.equal(code, 'state_changed')
    t.ok(confirmation.preview.some(({ label }) => label === 'Failover'), 'the new question says so')
    t.equal((await scaledTimes(world)).get(4), 1, 'it ran once')
    conversation.leave()
    await conversing.catch(() => undefined)
  })
