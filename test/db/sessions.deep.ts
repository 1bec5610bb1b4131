import t from '../tap.js'
import { asAdmin, buildApp } from '../app.js'

t.test('a transaction that was given up by its text is not inherited by the next request', async (t) => {
  const app = await buildApp(t, { SANDBOX: 'off', WORKER: 'false' })
  const ask = async () => {
    const answer = await app.inject({ url: '/account/projects', headers: asAdmin })
    return [answer.statusCode, answer.json()]
  }
  const before = await ask()
  // As the job queue makes its schema: several statements in one text.
  await t.rejects(app.database.pool.query('BEGIN; SELECT 1 / 0; COMMIT'), { code: '22012' })
  t.same(await ask(), before)
  t.equal(before[0], 200)
})
