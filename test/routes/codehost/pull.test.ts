import t from '../../tap.js'
import { buildApp } from '../../app.js'
import { actor, steer } from './actors.js'

const app = await buildApp(t)
const sandbox = steer(app)
const { get, json } = actor(app)
const host = app.sandbox.codehost
const sha = '1b623186c932b02371224f4d5d6309326da73edd'
const review = (login: string, state: string) =>
  sandbox.call('POST', '/reviews', { repository: 'larkspur/web', number: 3, login, state })
const check = (name: string, conclusion: string | null) => sandbox.call('POST', '/checks', {
  repository: 'larkspur/web', sha, name, status: conclusion ? 'completed' : 'in_progress', conclusion
})
const states = async () => {
  const { checks } = await json('/repos/7001/pulls/3')
  return checks.map(({ name, state }: { name: string, state: string }) => `${name} ${state}`)
}
const verdicts = async () => {
  const { reviews } = await json('/repos/7001/pulls/3')
  return reviews.map(({ reviewer, verdict }: { reviewer: string, verdict: string }) => `${reviewer} ${verdict}`)
}

t.test('a pull request, with each check and each reviewer by name', async (t) => {
  const { items } = await json('/repos/7001/pulls')
  t.same(await json('/repos/7001/pulls/5'), {
    pull: { ...items[0], mergeable: true },
    checks: [{ name: 'test', state: 'failure', html_url: `${host}/larkspur/web/runs/80050` }],
    reviews: [{
      reviewer: 'octavia',
      verdict: 'changes_requested',
      submitted_at: '2026-11-19T14:30:00.000Z',
      html_url: `${host}/larkspur/web/pull/5#pullrequestreview-80050`
    }],
    stale: false,
    as_of: null
  })
})

t.test('an ended one has them too', async (t) => {
  t.match(await json('/repos/7001/pulls/1'), {
    pull: { state: 'merged', checks: { state: 'success', total: 1 }, reviews: { decision: 'approved' } },
    checks: [{ name: 'test', state: 'success' }],
    reviews: [{ reviewer: 'octavia', verdict: 'approved' }]
  })
})

t.test('the last deciding word of each reviewer, and who was asked and is silent', async (t) => {
  t.same(await verdicts(), ['octavia requested'])
  await review('mallory', 'COMMENTED')
  t.same(await verdicts(), ['mallory commented', 'octavia requested'])
  await review('mallory', 'CHANGES_REQUESTED')
  await review('octavia', 'APPROVED')
  await review('mallory', 'COMMENTED')
  t.same(await verdicts(), ['mallory changes_requested', 'octavia approved'], 'a comment takes nothing back')
})

t.test('those that fail come first; statuses of the older way of checking are among them', async (t) => {
  await check('docs', 'skipped')
  await check('deploy preview', null)
  await sandbox.call('POST', '/statuses', {
    repository: 'larkspur/web', sha, context: 'ci/legacy', state: 'error', target_url: 'javascript:alert(1)'
  })
  t.same(await states(), ['ci/legacy failure', 'deploy preview pending', 'test success', 'docs skipped'])
  const { pull, checks } = await json('/repos/7001/pulls/3')
  t.same(pull.checks, { state: 'failure', total: 4, failed: 1, pending: 1 })
  t.equal(checks[0].html_url, null, 'an address that is not of the web is no link')
})

t.test('it costs the repository, the pull request and three lists, which are conditional when warm', async (t) => {
  const calls = await sandbox.during(() => json('/repos/7001/pulls/3'))
  t.same(calls.map(({ operation, status }) => `${operation} ${status}`).sort(),
    ['getCombinedStatus 304', 'getPull 304', 'getRepository 304', 'listCheckRuns 304', 'listReviews 304'])
})

t.test('what the person may not read is null', async (t) => {
  await sandbox.fault({ kind: 'forbidden', operation: 'listCheckRuns', times: 0 })
  t.match(await json('/repos/7001/pulls/3'), { checks: null, pull: { checks: null }, reviews: [{}, {}] })
  await sandbox.clear()
})

t.test('no such pull request, no such repository', async (t) => {
  t.match((await get('/repos/7001/pulls/99')).json(), { status: 404, code: 'codehost_not_found' })
  t.match((await get('/repos/9999/pulls/1')).json(), { status: 404, code: 'repo_not_found' })
  t.match((await get('/repos/7001/pulls/0')).json(), { status: 400, code: 'invalid_request' })
})

t.test('during a limit the earlier answer is shown, and said to be stale', async (t) => {
  const before = await json('/repos/7001/pulls/3')
  await sandbox.fault({ kind: 'rate_limit', times: 0 })
  const { as_of, ...now } = await json('/repos/7001/pulls/3')
  t.same({ ...now, stale: false }, (({ as_of: _, ...rest }) => rest)(before))
  t.type(as_of, 'string')
  await sandbox.clear()
})
