import { sql } from 'kysely'
import t from 'tap'
import { asAdmin, buildApp } from '../app.js'
import { problemOf } from '../routes/account/actors.js'

const app = await buildApp(t, { SANDBOX: 'off' })

t.test('F47: a fault of ours is told without SQL, names or a stack', async (t) => {
  await sql`alter table account_project rename to account_project_gone`.execute(app.db)
  const answer = await app.inject({ url: '/account/projects', headers: asAdmin })
  t.same([answer.statusCode, answer.headers['content-type'], problemOf(answer)], [500, 'application/problem+json', {
    type: 'urn:steward:error:internal',
    title: 'Something went wrong here',
    status: 500,
    detail: 'Something went wrong here',
    code: 'internal'
  }])
})
