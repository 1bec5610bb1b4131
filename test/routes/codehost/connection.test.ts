import t from '../../tap.js'
import { asAdmin, workspace } from '../../app.js'
import { makePerson, problemOf } from '../account/actors.js'

const app = await workspace(t)

t.test('in the sandbox the first admin is connected from the start, with any credentials', async (t) => {
  const answer = await app.inject({ url: '/codehost/connection', headers: asAdmin })
  const { connected_at } = answer.json()
  t.same([answer.statusCode, answer.json()],
    [200, { account_id: '5001', login: 'octavia', host: app.sandbox.codehost, scopes: [], connected_at }])
})

t.test('another person is not connected, and gets the URL to connect', async (t) => {
  const { headers } = await makePerson(app, 'Nell', 'viewer')
  const answer = await app.inject({ url: '/codehost/connection', headers })
  t.same(problemOf(answer), {
    type: 'urn:steward:error:codehost_not_connected',
    title: 'Your account is not connected to the code host',
    status: 409,
    detail: 'Your account is not connected to the code host',
    code: 'codehost_not_connected',
    authorize_url: 'http://127.0.0.1:0/codehost-oauth/authorize?mode=link'
  })
})
