import t from '../../tap.js'
import { asAdmin, workspace } from '../../app.js'
import { steer } from '../infrastructure/sandbox.js'

const app = await workspace(t)
const sandbox = steer(app)
const call = async (method: 'GET' | 'POST' | 'PATCH', url: string, payload?: object) => {
  const answer = await app.inject({ method, url, headers: asAdmin, ...(payload && { payload }) })
  return { status: answer.statusCode, body: answer.json() }
}
const role = 'arn:aws:iam::210987654321:role/StewardAccess'
const [sandboxAccount] = (await call('GET', '/cloud/accounts')).body.items
const made = (await call('POST', '/cloud/accounts',
  { name: 'Waiting', regions: ['eu-west-1'], auth: { type: 'assume_role' } })).body

t.test('an account that waits for its role is incomplete, and nobody asks it', async (t) => {
  t.equal(made.status, 'incomplete')
  const before = await sandbox.calls('AssumeRole')
  for (const url of ['/infrastructure/containers/clusters', '/infrastructure/serverless/functions', '/cloud/costs']) {
    t.match((await call('GET', url)).body, { partial: false, errors: [] }, url)
  }
  t.same((await call('GET', '/cloud/costs')).body.account_ids, [sandboxAccount.id])
  t.equal((await call('GET', '/infrastructure/containers/services/web')).status, 200, 'names resolve without it')
  t.equal(await sandbox.calls('AssumeRole'), before)
})

t.test('an operation that names it says what is missing', async (t) => {
  const detail = 'The cloud account waits for the ARN of its role. An admin can give it: ' +
    'PATCH /cloud/accounts/{account_id} with auth.role_arn'
  for (const path of ['/infrastructure/containers/clusters', '/cloud/costs']) {
    const url = `${path}?account_id=${made.id}`
    t.match(await call('GET', url), { status: 424, body: { code: 'cloud_account_unusable', detail } }, url)
  }
})

t.test('a test of it fails and leaves it incomplete; with its role it is asked', async (t) => {
  t.match((await call('POST', `/cloud/accounts/${made.id}/test`)).body, { status: 'failed', identity: null })
  t.equal((await call('GET', `/cloud/accounts/${made.id}`)).body.status, 'incomplete')
  await sandbox.call('PUT', '/roles', { role_arn: role, external_id: made.auth.external_id })
  const changed = await call('PATCH', `/cloud/accounts/${made.id}`, { auth: { type: 'assume_role', role_arn: role } })
  t.match(changed, { status: 200, body: { status: 'unverified', aws_account_id: '210987654321' } })
  const { items } = (await call('GET', '/infrastructure/containers/clusters')).body
  t.ok(items.some((one: { account_id: string }) => one.account_id === made.id))
})
