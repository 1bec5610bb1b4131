import t from '../tap.js'
import pg from 'pg'
import { asAdmin } from '../app.js'
import { addAccount, launch, makeWorld } from '../flows/crash-steward.js'
import { chaosLimits } from './limits.js'
import { Cluster, startPgBouncer } from './cluster.js'
import { Conversation } from './conversation.js'
import { requirePostgres } from './postgres.js'

await requirePostgres(t)
const cluster = await Cluster.start(t)

const settingsOf = async (url: string) => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows: [row] } = await client.query<Record<string, string>>(`select
    current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock,
    current_setting('idle_in_transaction_session_timeout') as idle`)
  await client.end()
  return row
}

for (const mode of ['session', 'transaction'] as const) {
  t.test(`two instances behind PgBouncer, pooling by ${mode}`, async (t) => {
    const pooled = await startPgBouncer(t, cluster, mode)
    const world = await makeWorld(t, { LIMITS: JSON.stringify(chaosLimits) })
    const env = { ...world.env, DATABASE_URL: pooled, DATABASE_DIRECT_URL: cluster.url }
    const [one = '', other = ''] = [await launch(t, env).listening(), await launch(t, env).listening()]
    t.same(await settingsOf(pooled), { statement: '15s', lock: '10s', idle: '30s' }, 'the time-outs hold')
    for (const url of [one, other]) t.equal((await fetch(`${url}/ready`)).status, 200)
    if (mode === 'session') await addAccount(one)

    const people = Array.from({ length: 6 }, (_, index) => new Conversation(index % 2 === 0 ? one : other))
    const ends = await Promise.all(people.map((person, index) => person.say(`Scale web to ${20 + index}`)))
    t.same(ends.filter(({ status }) => status !== 'completed'), [], 'every run completes')
    t.same(people.filter((person) => person.result('scaleService')?.status !== 'succeeded'), [])
    for (const person of people) {
      t.same(await person.compare(person.url === one ? other : one), [], 'the other instance streams the same')
    }

    await world.speakSlowly(50)
    const person = new Conversation(one)
    const conversing = person.say('Which clusters do I have?')
    while (person.runId === '') await new Promise((resolve) => setTimeout(resolve, 10))
    const reader = await fetch(`${other}/api/v1/agent/sessions/${person.sessionId}/stream`,
      { headers: { ...asAdmin, 'last-event-id': `${person.runId}:0` } })
    const text = await reader.text()
    t.equal((await conversing).status, 'completed')
    t.match(text, /"final":true/, 'a stream is read at another instance while it is written')
  })
}

t.test('a pooler that is used without the way past it is named', async (t) => {
  const pooled = await startPgBouncer(t, cluster, 'transaction')
  const world = await makeWorld(t)
  const steward = launch(t, { ...world.env, DATABASE_URL: pooled })
  t.match(await steward.exited, { code: 1 })
  t.match(steward.errors + steward.output, /DATABASE_DIRECT_URL/)
})
