import t from '../../tap.js'
import { workspace } from '../../app.js'
import { actor, steer } from './actors.js'

const app = await workspace(t)
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
    checks: [{ name: 'test', state: 'failure', required: false, html_url: `${host}/larkspur/web/runs/80050` }],
    reviews: [{
      reviewer: 'octavia',
      team: null,
      verdict: 'changes_requested',
      commit: items[0].head.sha,
      outdated: false,
      asked_again: false,
      may_write: true,
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
  t.same(pull.checks, { state: 'failure', total: 4, failed: 1, pending: 1, skipped: 1 })
  t.equal(checks[0].html_url, null, 'an address that is not of the web is no link')
})

t.test('it costs the repository, the pull request and one query; without GraphQL three lists', async (t) => {
  const cost = async () => (await sandbox.during(() => json('/repos/7001/pulls/3')))
    .map(({ operation, status }) => `${operation} ${status}`).sort()
  t.same(await cost(), ['getPull 304', 'getRepository 304', 'graphql 200'])
  await sandbox.fault({ kind: 'not_found', operation: 'graphql', times: 0 })
  await cost()
  t.same(await cost(), ['getCombinedStatus 304', 'getPull 304', 'getRepository 304', 'graphql 404',
    'listCheckRuns 304', 'listReviews 304'])
  await sandbox.clear()
})

const web = { repository: 'larkspur/web', number: 3 }
const row = async (name: string) => (await json('/repos/7001/pulls/3')).reviews
  .find(({ reviewer, team }: { reviewer: string | null, team: string | null }) => (reviewer ?? team) === name)

t.test('an approval of an older commit says so, and who was asked again waits', async (t) => {
  await sandbox.call('POST', '/reviews', { ...web, login: 'mallory', state: 'APPROVED' })
  t.match(await row('octavia'), { verdict: 'approved', commit: sha, outdated: false, asked_again: false })
  const newest = await sandbox.commit({ repository: 'larkspur/web', branch: 'feature/stock' })
  t.match(await row('octavia'), { verdict: 'approved', commit: sha, outdated: true })
  t.match((await json('/repos/7001/pulls/3')).pull, {
    head: { sha: newest },
    reviews: { decision: 'approved', decided_by: 'count', approvals: 1, outdated_approvals: 1, other_approvals: 1 }
  })
  await sandbox.call('PUT', '/reviewers', { ...web, reviewers: ['octavia'], teams: ['platform'] })
  t.match(await row('octavia'), { verdict: 'approved', outdated: true, asked_again: true })
  t.match(await row('platform'), { reviewer: null, verdict: 'requested' })
  t.match((await json('/repos/7001/pulls/3')).pull, {
    requested_reviewers: ['octavia'],
    requested_teams: ['platform'],
    reviews: { decision: 'review_required', approvals: 0, other_approvals: 2 }
  }, 'a stranger has approved too: that decides nothing')
  t.match(await row('mallory'), { verdict: 'approved', may_write: false })
})

t.test('the same by REST, which does not say who may write', async (t) => {
  await sandbox.fault({ kind: 'not_found', operation: 'graphql', times: 0 })
  t.match(await row('octavia'), { verdict: 'approved', outdated: true, asked_again: true, may_write: null })
  t.match(await row('mallory'), { verdict: 'approved', may_write: false })
  await sandbox.call('PUT', '/reviewers', web)
  t.match((await json('/repos/7001/pulls/3')).pull.reviews, { decision: null, approvals: 0, other_approvals: 2 },
    'a member may only read: an approval that may not count is none')
  await sandbox.clear()
})

t.test('what only skips judges nothing, and each status counts as one', async (t) => {
  const head = await sandbox.commit({ repository: 'larkspur/web', branch: 'feature/stock' })
  const put = (name: string, conclusion: string) => sandbox.call('POST', '/checks',
    { repository: 'larkspur/web', sha: head, name, status: 'completed', conclusion })
  const status = (context: string, state: string) => sandbox.call('POST', '/statuses',
    { repository: 'larkspur/web', sha: head, context, state })
  for (const [name, conclusion] of [['build', 'skipped'], ['lint', 'skipped'], ['size', 'neutral']]) {
    await put(name ?? '', conclusion ?? '')
  }
  const both = async () => {
    const counted = (await json('/repos/7001/pulls/3')).pull.checks
    await sandbox.fault({ kind: 'not_found', operation: 'graphql', times: 0 })
    t.same((await json('/repos/7001/pulls/3')).pull.checks, counted, 'by REST too')
    await sandbox.clear()
    return counted
  }
  t.same(await both(), { state: 'skipped', total: 3, failed: 0, pending: 0, skipped: 3 })
  for (const context of ['ci/a', 'ci/b', 'ci/c']) await status(context, 'success')
  t.same(await both(), { state: 'success', total: 6, failed: 0, pending: 0, skipped: 3 })
})

t.test('what the base branch demands is the code host\'s own word', async (t) => {
  await sandbox.call('PUT', '/protection', { repository: 'larkspur/web', reviews: 2, checks: ['ci/a', 'ci/never'] })
  t.match(await json('/repos/7001/pulls/3'), {
    pull: { merge_state: 'blocked', reviews: { decision: 'review_required', decided_by: 'code_host', approvals: 1 } },
    checks: [{ name: 'ci/a', required: true }, { name: 'ci/b', required: false }, {}, {}, {}, {}]
  }, 'one that is demanded has never come, and no check shows it')
  t.match((await json('/repos/7001/pulls?head=feature/stock')).items[0], { merge_state: 'blocked' })
  await sandbox.call('PUT', '/protection', { repository: 'larkspur/web' })
})

t.test('a part that GraphQL may not read is not known, and is not none', async (t) => {
  const path = ['nodes', 0, 'commits', 'nodes', 0, 'commit', 'statusCheckRollup']
  const { head } = (await json('/repos/7001/pulls/3')).pull
  const node = {
    latestOpinionatedReviews: { totalCount: 0, nodes: [] },
    latestReviews: { totalCount: 0, nodes: [] },
    commits: { nodes: [{ commit: { oid: head.sha, statusCheckRollup: null } }] }
  }
  const answer = (body: object) => sandbox.fault({ kind: 'error', status: 200, operation: 'graphql', body })
  await answer({ data: { nodes: [node] }, errors: [{ type: 'FORBIDDEN', path, message: 'Resource not accessible' }] })
  t.match(await json('/repos/7001/pulls/3'),
    { checks: null, reviews: [], pull: { checks: null, merge_state: 'clean' } })
  await answer({ data: { nodes: [{ ...node, commits: { nodes: [{ commit: { oid: sha } }] } }] } })
  t.match(await json('/repos/7001/pulls/3'), { checks: null }, 'checks of another commit than the one that is shown')
  await answer({ errors: [{ message: 'Field \'mergeStateStatus\' doesn\'t exist on type \'PullRequest\'' }] })
  t.match(await json('/repos/7001/pulls/3'), { checks: [{}, {}, {}, {}, {}, {}] }, 'then it is read by REST')
})

t.test('what the person may not read is null', async (t) => {
  await sandbox.fault({ kind: 'not_found', operation: 'graphql', times: 0 })
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
