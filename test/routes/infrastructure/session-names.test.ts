import t from 'tap'
import { ticketHeader } from '../../../lib/security/principal.js'
import { asAdmin, buildApp } from '../../app.js'
import { steer } from './sandbox.js'

const app = await buildApp(t)
const sandbox = steer(app)
const role = 'arn:aws:iam::210987654321:role/StewardAccess'
const call = async (method: 'GET' | 'POST' | 'PATCH', url: string, payload?: object, headers: object = asAdmin) =>
  (await app.inject({ method, url, headers: { ...headers }, ...(payload && { payload }) })).json()

const account = await call('POST', '/cloud/accounts',
  { name: 'Role', regions: ['eu-west-1'], auth: { type: 'assume_role' } })
await sandbox.call('PUT', '/roles', { role_arn: role, external_id: account.auth.external_id })
await call('PATCH', `/cloud/accounts/${account.id}`, { auth: { type: 'assume_role', role_arn: role } })
const [cluster] = (await call('GET', `/infrastructure/containers/clusters?account_id=${account.id}`)).items
const [service] = (await call('GET', `/infrastructure/containers/clusters/${cluster.id}/services`)).items
const scale = `/infrastructure/containers/services/${service.id}/scale`

interface Journal { calls: { operation: string, access_key_id: string, params: Record<string, string> }[] }
const sessions = async (): Promise<string[]> => {
  const { calls } = await sandbox.call<Journal>('GET', '/calls?operation=AssumeRole')
  return calls.map(({ params }) => params.RoleSessionName ?? '')
}

const person = app.home.admin_id
const run = '01890000-0000-7000-8000-0123456789ab'

t.test('CloudTrail shows for whom a write is sent: the person, and the run of the assistant', async (t) => {
  const before = await sessions()
  t.ok(before.length > 0 && before.every((name) => name === `steward-${account.id}`), 'reads are shared')
  await call('POST', scale, { desired_count: 3, autoscaling: 'ignore' })
  t.same((await sessions()).slice(before.length), [`steward.${person}`])
  const ticket = app.tickets.issue({
    workspace_id: app.home.workspace_id,
    user_id: person,
    name: 'Admin',
    role: 'admin',
    scopes: null,
    via: 'assistant',
    via_id: run,
    background: true
  })
  const done = await call('POST', scale, { desired_count: 4, autoscaling: 'ignore' }, { [ticketHeader]: ticket })
  t.match(done, { desired_count: 4 })
  t.same((await sessions()).slice(before.length), [`steward.${person}`, `steward.${person}.0123456789ab`])
  await call('POST', scale, { desired_count: 5, autoscaling: 'ignore' })
  t.equal((await sessions()).length, before.length + 2, 'a session serves many writes')
  const audit = await app.db.selectFrom('audit').select(['user_id', 'via', 'via_id'])
    .where('operation', '=', 'scaleService').orderBy('id').execute()
  t.same(audit.map(({ user_id, via_id }) => [user_id, via_id]), [[person, null], [person, run], [person, null]],
    'and the audit has the same ids')
})
