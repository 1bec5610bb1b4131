import t from '../../tap.js'
import { asAdmin, workspace } from '../../app.js'
import { steer } from './sandbox.js'

const app = await workspace(t)
const sandbox = steer(app)
const inject = async (method: 'GET' | 'POST', url: string, payload?: object) => {
  const answer = await app.inject({ method, url, headers: asAdmin, ...(payload && { payload }) })
  return { status: answer.statusCode, body: answer.json(), headers: answer.headers }
}
const services = '/infrastructure/containers/services'
const key = { access_key_id: 'AKIATWINTWINTWIN0001', secret_access_key: 'a-very-secret-key' }

await sandbox.call('PUT', '/credentials', { ...key, account_id: '123456789012' })
const [first] = (await inject('GET', '/cloud/accounts')).body.items
const second = (await inject('POST', '/cloud/accounts',
  { name: 'Twin', regions: ['eu-west-1'], auth: { type: 'access_keys', ...key } })).body
const idIn = (account: string, path: string) => `${account}~eu-west-1~${path}`

/** The second account does not answer; nothing of it is remembered. */
const silence = async () => {
  app.aws.inventory.forget('')
  await sandbox.fault({ kind: 'error_500', match: key.access_key_id, times: 0 })
}

t.beforeEach(async () => {
  await sandbox.clear()
  await sandbox.deny()
  app.aws.inventory.forget('')
})

t.test('a bare name acts on nothing while an account that may have it does not answer', async (t) => {
  const both = await inject('POST', `${services}/web/scale`, { desired_count: 5 })
  t.match(both, { status: 409, body: { code: 'ambiguous_identifier' } }, 'both accounts have it')
  await silence()
  const updates = await sandbox.calls('UpdateService')
  const { status, body, headers } = await inject('POST', `${services}/web/scale`, { desired_count: 5 })
  const { request_id: _id, sources, ...problem } = body
  t.same([status, headers['retry-after']], [503, '5'])
  t.same(problem, {
    type: 'urn:steward:error:name_unresolved',
    title: 'A source that may know the name does not answer',
    status: 503,
    code: 'name_unresolved',
    detail: `Not every source answered: eu-west-1 of cloud account ${second.id} ` +
      '(Service Unavailable. Please try again later.). Give the full id, as a list returns it, or ask again later',
    candidates: [idIn(first.id, 'prod~web')],
    retry_after: 5
  })
  t.match(sources, [{ account_id: second.id, region: 'eu-west-1', code: 'aws_error' }])
  t.equal(await sandbox.calls('UpdateService'), updates, 'nothing was sent')
  const byId = await inject('POST', `${services}/${encodeURIComponent(idIn(first.id, 'prod~web'))}/scale`,
    { desired_count: 4 })
  t.match(byId, { status: 200, body: { service_id: idIn(first.id, 'prod~web'), desired_count: 4 } })
})

const ecsTarget = { kind: 'ecs_service', service_id: 'web', container: 'web' }

t.test('no kind of name resolves by halves: clusters, functions, logs, deployments, apps', async (t) => {
  await silence()
  const asked: ['GET' | 'POST', string, object?][] = [
    ['GET', `${services}/web`],
    ['GET', `${services}/prod%2Fweb`],
    ['GET', `${services}/nothing-has-this-name`],
    ['GET', `${services}/web/logs`],
    ['POST', `${services}/web/deploy`, { image: 'web:2' }],
    ['GET', '/infrastructure/containers/clusters/prod/services'],
    ['GET', '/infrastructure/serverless/functions/echo'],
    ['GET', '/infrastructure/serverless/functions/echo/logs'],
    ['POST', '/infrastructure/serverless/functions/echo/invoke'],
    ['POST', '/deployments/apps',
      { name: 'Shop', source: { repo: 'larkspur/web' }, image: 'web:{sha}', target: ecsTarget }]
  ]
  for (const [method, url, payload] of asked) {
    const { status, body } = await inject(method, url, payload)
    t.same([status, body.code], [503, 'name_unresolved'], `${method} ${url} ${JSON.stringify(body).slice(0, 200)}`)
  }
})

const foreignArn = encodeURIComponent('arn:aws:ecs:eu-west-1:210987654321:service/a/b')

t.test('an ARN is unknown only when every account has said who it is', async (t) => {
  await app.db.updateTable('cloud_account').set({ aws_account_id: null }).where('id', '=', second.id).execute()
  await silence()
  const other = await inject('GET', `${services}/${foreignArn}`)
  t.match(other,
    { status: 503, body: { code: 'name_unresolved', candidates: [], sources: [{ account_id: second.id }] } })
  await sandbox.clear()
  const known = await inject('GET', `${services}/${foreignArn}`)
  t.match(known, { status: 404, body: { code: 'service_not_found' } })
})
