import t from '../tap.js'
import { sql } from 'kysely'
import { asAdmin, buildApp } from '../app.js'

t.test('Idempotency-Key', async (t) => {
  const app = await buildApp(t, { SANDBOX: 'off' })
  const post = (url: string, payload: object, key: string) =>
    app.inject({ method: 'POST', url, payload, headers: { ...asAdmin, 'idempotency-key': key } })

  await t.test('the same request again is answered with the first answer, and done once', async (t) => {
    const first = await post('/account/projects', { name: 'Once' }, 'key-1')
    const again = await post('/account/projects', { name: 'Once' }, 'key-1')
    t.same([first.statusCode, again.statusCode], [201, 201])
    t.same(again.json(), first.json())
    t.equal(again.headers['idempotent-replayed'], 'true')
    t.equal(again.headers['content-type'], first.headers['content-type'])
    const list = await app.inject({ url: '/account/projects?q=Once', headers: asAdmin })
    t.equal(list.json().items.length, 1)
  })

  await t.test('H56: another body under the same key is refused', async (t) => {
    const answer = await post('/account/projects', { name: 'Twice' }, 'key-1')
    t.same([answer.statusCode, answer.json().code], [422, 'idempotency_mismatch'])
  })

  await t.test('a refusal is kept too, so that a repetition does not turn out otherwise', async (t) => {
    const taken = await post('/account/projects', { name: 'once' }, 'key-2')
    const again = await post('/account/projects', { name: 'once' }, 'key-2')
    t.same([taken.statusCode, again.statusCode], [409, 409])
    t.same(again.json(), taken.json())
  })

  await t.test('I60: a connection that broke does not say whether work was done: the key stays taken', async (t) => {
    await sql`create function break_off () returns trigger language plpgsql as
      $$ begin raise exception 'gone' using errcode = '57P01'; end $$`.execute(app.db)
    await sql`create trigger break_off before insert on account_project
      for each row execute function break_off()`.execute(app.db)
    const broken = await post('/account/projects', { name: 'Broken off' }, 'key-broken')
    t.same([broken.statusCode, broken.json().code, broken.headers['retry-after']], [503, 'database_unavailable', '2'])
    await sql`drop trigger break_off on account_project`.execute(app.db)
    const again = await post('/account/projects', { name: 'Broken off' }, 'key-broken')
    t.same([again.statusCode, again.json().code], [409, 'idempotency_in_progress'])
  })

  const undoing = { '40P01': 'a deadlock', '55P03': 'a lock that was not free', 57014: 'a time-out' }
  for (const [code, what] of Object.entries(undoing)) {
    await t.test(`${what}, by which nothing was done, leaves the key for the repetition`, async (t) => {
      await sql`create function undo () returns trigger language plpgsql as
        ${sql.raw(`$$ begin raise exception 'undone' using errcode = '${code}'; end $$`)}`.execute(app.db)
      await sql`create trigger undo before insert on account_project
        for each row execute function undo()`.execute(app.db)
      const undone = await post('/account/projects', { name: what }, `key-${code}`)
      t.same([undone.statusCode, undone.json().code], [503, 'database_unavailable'])
      await sql`drop function undo cascade`.execute(app.db)
      t.equal((await post('/account/projects', { name: what }, `key-${code}`)).statusCode, 201)
    })
  }

  await t.test('H56: twenty at once do the work once', async (t) => {
    const race = Array.from({ length: 20 }, () => post('/account/projects', { name: 'Race' }, 'key-3'))
    const answers = (await Promise.all(race)).map((answer) => ({ status: answer.statusCode, body: answer.json() }))
    t.same([...new Set(answers.map(({ status, body }) => `${status} ${body.code ?? body.id}`))].length <= 2, true)
    t.equal(new Set(answers.filter(({ status }) => status === 201).map(({ body }) => body.id)).size, 1)
    const others = answers.filter(({ status }) => status !== 201)
    t.same(others.filter(({ status, body }) => status !== 409 || body.code !== 'idempotency_in_progress'), [])
  })

  await t.test('a key whose first request never finished answers in progress, not again', async (t) => {
    await post('/account/projects', { name: 'Cut' }, 'key-4')
    await sql`update idempotency_key set status = null, body = null where key = 'key-4'`.execute(app.db)
    const answer = await post('/account/projects', { name: 'Cut' }, 'key-4')
    t.match(answer, { statusCode: 409, headers: { 'retry-after': '2' } })
    t.equal(answer.json().code, 'idempotency_in_progress')
  })

  await t.test('a key that is no key is refused with a pointer', async (t) => {
    const answer = await post('/account/projects', { name: 'Bad' }, 'with space')
    t.same([answer.statusCode, answer.json().errors[0].pointer], [400, '/headers/idempotency-key'])
  })

  await t.test('an answer with a secret comes again whole, and is not readable in the table', async (t) => {
    const body = { name: 'script', scopes: ['agent:read'], expires_in_days: 1 }
    const first = await post('/account/tokens', body, 'key-5')
    const again = await post('/account/tokens', body, 'key-5')
    t.equal(first.statusCode, 201)
    t.same(again.json(), first.json())
    const { rows } = await sql<{ body: string }>`select body from idempotency_key where key = 'key-5'`.execute(app.db)
    t.notOk(rows[0]?.body.includes(first.json().secret))
  })
})

t.test('A13: refused credentials of one address end in 429 with Retry-After', async (t) => {
  const app = await buildApp(t, { SANDBOX: 'off', LIMITS: '{"refused_credentials_per_minute":3}' })
  const ask = () => app.inject({ url: '/account/me', headers: { authorization: 'Bearer stw_pat_wrong' } })
  const answers = [await ask(), await ask(), await ask(), await ask()]
  t.same(answers.map((answer) => answer.statusCode), [401, 401, 401, 429])
  t.match(answers[3]?.headers['retry-after'], /^[0-9]+$/)
  t.equal(answers[3]?.json().code, 'rate_limited')
  const good = await app.inject({ url: '/account/me', headers: asAdmin })
  t.equal(good.statusCode, 200)
})
