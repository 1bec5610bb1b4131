import t from '../../tap.js'
import { asAdmin, workspace } from '../../app.js'
import { useRole } from './role-account.js'

const app = await workspace(t)
const { account, call, sandbox, trust, journal, service, read, policies } = await useRole(app)
const person = app.home.admin_id
const web = service('web')
const webId = decodeURIComponent(web.split('/').at(-1) ?? '')
const webArn = 'arn:aws:ecs:eu-west-1:123456789012:service/prod/web'
const scale = (desired_count: number) => call('POST', `${web}/scale`, { desired_count, autoscaling: 'ignore' })
const assumed = async () => (await journal('AssumeRole')).length
const tool = async (name: string, args: object) => {
  const proposed = (await call('POST', '/api/v1/agent/tool-calls', { name, arguments: args })).json()
  await call('POST', '/api/v1/agent/confirm',
    { session_id: proposed.session_id, confirmation_id: proposed.confirmation.id, approved: true })
  const url = `/api/v1/agent/tool-calls/${proposed.tool_call_id}?wait_s=20`
  return { proposed, ended: (await call('GET', url)).json() }
}

t.beforeEach(async () => {
  await sandbox.clear()
  await trust({ tag_session: true, set_source_identity: true })
})

t.test('a trust policy without tags or a source identity: the write goes without them, and the account says so',
  async (t) => {
    t.match((await read()).sessions, { narrowed: true, reason: null, tags: null, source_identity: null })
    t.equal((await scale(3)).statusCode, 200)
    t.match((await read()).sessions, { narrowed: true, reason: null, tags: true, source_identity: true })
    const before = (await policies()).length
    await trust({ tag_session: false })
    t.equal((await scale(8)).statusCode, 200)
    const [update] = (await journal('UpdateService')).slice(-1)
    t.same(update?.session, { name: `steward.${person}`, source_identity: person, tags: {} })
    t.match((await read()).sessions,
      { narrowed: true, reason: /lacks sts:TagSession, so/, tags: false, source_identity: true })
    await trust({ set_source_identity: false })
    t.equal((await scale(9)).statusCode, 200)
    t.match((await read()).sessions,
      { narrowed: true, reason: /lacks sts:TagSession and sts:SetSourceIdentity/, tags: false, source_identity: false })
    const known = await assumed()
    t.equal((await scale(10)).statusCode, 200)
    t.equal(await assumed(), known + 1, 'what is known to be refused is not tried again')
    const asked = (await policies()).slice(before)
    t.equal(asked.length, 5)
    for (const policy of asked) {
      const [write, ...others] = policy.Statement
        .filter(({ Action }: { Action: string[] }) => !Action.every((one: string) => /:Describe/.test(one)))
      const olderArn = webArn.replace('service/prod/', 'service/')
      t.same([write, others], [{ Effect: 'Allow', Action: ['ecs:UpdateService'], Resource: [webArn, olderArn] }, []],
        'never wider: what else it may do is read the target once more')
    }
  })

t.test('without tags the name of the session shows the run of the assistant', async (t) => {
  await trust({ tag_session: false })
  const { proposed, ended } = await tool('scaleService', { service: webId, desired_count: 11 })
  t.equal(ended.status, 'succeeded')
  t.equal((await journal('UpdateService')).at(-1)?.session?.name, `steward.${person}.${proposed.run_id.slice(-12)}`)
})

t.test('the account test finds out what sessions may say, and keeps it', async (t) => {
  const test = async () => (await call('POST', `/cloud/accounts/${account.id}/test`)).json()
  await trust({ tag_session: false })
  t.match(await test(), { status: 'passed', warnings: ['session_tags_not_allowed'] })
  await trust({ set_source_identity: false })
  t.match(await test(),
    { status: 'passed', warnings: ['session_tags_not_allowed', 'source_identity_not_allowed'] })
  await trust({ tag_session: true, set_source_identity: true })
  t.match(await test(), { status: 'passed', warnings: [] })
  t.match((await read()).sessions, { narrowed: true, reason: null, tags: true, source_identity: true })
})

t.test('the account says what to ask CloudTrail', async (t) => {
  const id = '01890000-0000-7000-8000-0123456789ab'
  const trail = async (query: string) => (await call('GET', `/cloud/accounts/${account.id}/trail${query}`)).json()
  t.same(await trail(''), { narrowed: true, reason: null, person: null, approval: null })
  const { person: byPerson, approval } = await trail(`?user_id=${person}&confirmation_id=${id}`)
  t.equal(byPerson.command, 'aws cloudtrail lookup-events --region eu-west-1 ' +
    `--lookup-attributes AttributeKey=Username,AttributeValue=steward.${person}`)
  t.match(byPerson.sql, `LIKE '%/steward.${person}%'`)
  t.match(approval.command, `contains(CloudTrailEvent, '${id}')`)
  t.match(approval.sql, `requestparameters LIKE '%${id}%'`)
  t.match(await trail("?user_id=x'%20OR%201=1"), { status: 400, code: 'invalid_request' })
})

t.test('what AWS cannot narrow is said to be so', async (t) => {
  const keys = { access_key_id: 'AKIATESTTESTTEST0042', secret_access_key: 'a-very-secret-key' }
  await sandbox.call('PUT', '/credentials', { ...keys, account_id: '123456789012' })
  const made = (await call('POST', '/cloud/accounts',
    { name: 'Keys', regions: ['eu-west-1'], auth: { type: 'access_keys', ...keys } })).json()
  t.match(made.sessions, { narrowed: false, reason: /AWS cannot narrow access keys/, tags: false })
  t.match((await call('GET', `/cloud/accounts/${made.id}/trail?user_id=${person}`)).json(),
    { narrowed: false, reason: /access keys/, person: null, approval: null })
  t.equal((await app.inject({ url: `/cloud/accounts/${made.id}`, headers: asAdmin })).json().sessions.narrowed, false)
})
