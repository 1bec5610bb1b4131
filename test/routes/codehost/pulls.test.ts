import t from '../../tap.js'
import { workspace } from '../../app.js'
import { actor, steer } from './actors.js'

const app = await workspace(t)
const sandbox = steer(app)
const { get, json } = actor(app)

interface Item { number: number, title: string, state: string }
const numbers = ({ items }: { items: Item[] }) => items.map(({ number }) => number)

const nobody = {
  decision: null, decided_by: 'count', approvals: 0, outdated_approvals: 0, other_approvals: 0, changes_requested: 0
}

const stock = {
  id: '8003',
  number: 3,
  repo_id: '7001',
  title: 'Show stock on the product page',
  body_excerpt: 'Asks the api for it.\n\nCloses #2',
  state: 'open',
  draft: false,
  author: 'bruno',
  head: { ref: 'feature/stock', sha: '1b623186c932b02371224f4d5d6309326da73edd', repo_id: '7001' },
  base: { ref: 'main', sha: '79987598baab81b5d5557c4a2df52597c942eb7c' },
  labels: ['feature'],
  requested_reviewers: ['octavia'],
  requested_teams: [],
  mergeable: true,
  merge_state: 'clean',
  reviews: { ...nobody, decision: 'review_required' },
  checks: { state: 'success', total: 1, failed: 0, pending: 0, skipped: 0 },
  created_at: '2026-11-18T06:30:00.000Z',
  updated_at: '2026-11-18T08:30:00.000Z',
  closed_at: null,
  merged_at: null,
  merge_commit_sha: null,
  html_url: `${app.sandbox.codehost}/larkspur/web/pull/3`
}

t.test('open ones, the last changed first, with what reviewers and checks say', async (t) => {
  const { items, ...page } = await json('/repos/7001/pulls')
  t.same(page, { next_cursor: null, stale: false, as_of: null })
  t.same(items[2], stock)
  t.match(items.slice(0, 2), [
    {
      number: 5,
      head: { ref: 'patch-1', repo_id: null },
      reviews: { decision: 'changes_requested', approvals: 0, changes_requested: 1 },
      checks: { state: 'failure', total: 1, failed: 1, pending: 0 }
    },
    {
      number: 4,
      draft: true,
      reviews: { decision: null, approvals: 0, changes_requested: 0 },
      checks: { state: 'pending', total: 1, failed: 0, pending: 1 }
    }
  ], 'one of a fork that is gone, and a draft')
})

t.test('merged is a state of its own; ended ones have no live state', async (t) => {
  t.same(numbers(await json('/repos/7001/pulls?state=closed')), [2])
  const merged = await json('/repos/7001/pulls?state=merged')
  t.match(merged.items, [{
    number: 1, state: 'merged', merged_at: '2026-11-14T04:30:00.000Z', reviews: null, checks: null
  }])
  t.same(numbers(await json('/repos/7001/pulls?state=all')), [5, 4, 3, 2, 1])
})

t.test('filters', async (t) => {
  t.same(numbers(await json('/repos/7001/pulls?author=BRUNO&state=all')), [3, 2, 1])
  t.same(numbers(await json('/repos/7001/pulls?head=feature/stock')), [3])
  t.same(numbers(await json('/repos/7001/pulls?head=larkspur:feature/stock')), [3])
  t.same(numbers(await json('/repos/7001/pulls?head=mallory:feature/stock')), [])
  t.same(numbers(await json('/repos/7001/pulls?base=release')), [])
  for (const query of ['state=done', 'base=..', 'head=', 'author=', 'limit=-1']) {
    t.match((await get(`/repos/7001/pulls?${query}`)).json(), { status: 400, code: 'invalid_request' }, query)
  }
})

t.test('pages, with and without a filter that the code host does not have', async (t) => {
  for (const query of ['state=all&limit=2', 'state=all&author=bruno&limit=1', 'state=merged&limit=1']) {
    const whole = numbers(await json(`/repos/7001/pulls?${query.replace(/limit=\d/, 'limit=100')}`))
    const pages: number[] = []
    let cursor: string | null = ''
    for (let count = 0; cursor !== null && count < 9; count++) {
      const page: { items: Item[], next_cursor: string | null } =
        await json(`/repos/7001/pulls?${query}${cursor && `&cursor=${cursor}`}`)
      pages.push(...numbers(page))
      cursor = page.next_cursor
    }
    t.same(pages, whole, query)
  }
})

t.test('the last review of each reviewer counts, on any page', async (t) => {
  const review = (login: string, state: string) =>
    sandbox.call('POST', '/reviews', { repository: 'larkspur/web', number: 3, login, state })
  const readReviews = async () => (await json('/repos/7001/pulls?head=feature/stock')).items[0].reviews
  await review('octavia', 'CHANGES_REQUESTED')
  await review('mallory', 'APPROVED')
  const refused = { ...nobody, decision: 'changes_requested', other_approvals: 1, changes_requested: 1 }
  t.same(await readReviews(), refused, 'a stranger may approve, and it counts for nothing')
  await review('octavia', 'COMMENTED')
  t.same(await readReviews(), refused, 'a comment decides nothing')
  for (let i = 0; i < 100; i++) await review('mallory', 'COMMENTED')
  await review('octavia', 'APPROVED')
  const approved = { ...nobody, decision: 'approved', approvals: 1, other_approvals: 1 }
  t.same(await readReviews(), approved)
  await sandbox.fault({ kind: 'not_found', operation: 'graphql', times: 0 })
  t.match(await readReviews(), { decision: null, approvals: 0, other_approvals: 2 }, 'by REST, on its second page')
  await sandbox.clear()
})

t.test('checks: one that runs is pending, one that fails decides, a skipped one does not judge', async (t) => {
  const check = (conclusion: string | null) => sandbox.call('POST', '/checks', {
    repository: 'larkspur/web', sha: stock.head.sha, status: conclusion ? 'completed' : 'in_progress', conclusion
  })
  const readChecks = async () => (await json('/repos/7001/pulls?head=feature/stock')).items[0].checks
  await check('skipped')
  t.same(await readChecks(), { state: 'success', total: 2, failed: 0, pending: 0, skipped: 1 })
  await check(null)
  t.same(await readChecks(), { state: 'pending', total: 3, failed: 0, pending: 1, skipped: 1 })
  await check('timed_out')
  t.same(await readChecks(), { state: 'failure', total: 4, failed: 1, pending: 1, skipped: 1 })
})

t.test('where the code host does not answer, the state is null and the list is complete', async (t) => {
  await sandbox.fault({ kind: 'error_502', operation: 'graphql', times: 0 })
  t.match(await json('/repos/7001/pulls?head=feature/stock'), { items: [{ checks: null, reviews: null }] })
  await sandbox.clear()
  await sandbox.fault({ kind: 'not_found', operation: 'graphql', times: 0 })
  await sandbox.fault({ kind: 'forbidden', operation: 'listCheckRuns', times: 0 })
  t.match(await json('/repos/7001/pulls?head=feature/stock'), { items: [{ checks: null, reviews: {} }] })
  await sandbox.clear()
  await sandbox.fault({ kind: 'not_found', operation: 'graphql', times: 0 })
  await sandbox.fault({ kind: 'not_found', operation: 'listCheckRuns', times: 0 })
  t.match(await json('/repos/7001/pulls?head=feature/stock'),
    { items: [{ checks: { state: 'none', total: 0 } }] }, 'it has no check runs at all, only statuses')
  await sandbox.clear()
  await sandbox.fault({ kind: 'not_found', operation: 'graphql', times: 0 })
  await sandbox.fault({ kind: 'error_500', operation: 'listReviews', times: 0 })
  const calls = await sandbox.during(async () => {
    t.match(await json('/repos/7001/pulls'), { items: [{ reviews: null }, { reviews: null }, { reviews: null }] })
  })
  t.ok(calls.filter(({ operation }) => operation === 'listReviews').length <= 8, 'the number of pages is limited')
  await sandbox.clear()
})

t.test('a warm list costs two conditional requests and one query', async (t) => {
  await json('/repos/7001/pulls')
  const calls = await sandbox.during(() => json('/repos/7001/pulls'))
  t.same(calls.map(({ operation, status }) => `${operation} ${status}`).sort(),
    ['getRepository 304', 'graphql 200', 'listPulls 304'])
})

t.test('a hundred open ones cost six requests, and one of a fork names it', async (t) => {
  const { id } = await sandbox.call('POST', '/forks', { repository: 'larkspur/web', login: 'mallory' })
  for (let i = 0; i < 96; i++) {
    const branch = `many-${i}`
    await sandbox.commit({ repository: 'larkspur/web', branch, message: branch })
    await sandbox.call('POST', '/pulls', { repository: 'larkspur/web', title: branch, head: branch })
  }
  await sandbox.commit({ repository: 'mallory/web', branch: 'theirs', login: 'mallory' })
  await sandbox.call('POST', '/pulls', { repository: 'larkspur/web', title: 'Theirs', head: 'mallory:theirs' })
  const calls = await sandbox.during(async () => {
    const { items } = await json('/repos/7001/pulls?limit=100')
    t.equal(items.length, 100)
    t.ok(items.every(({ reviews, checks }: Record<string, unknown>) => reviews !== null && checks !== null))
    t.match(items[0], { title: 'Theirs', head: { ref: 'theirs', repo_id: String(id) } })
  })
  t.same(calls.map(({ operation }) => operation).sort(),
    ['getRepository', ...Array.from({ length: 4 }, () => 'graphql'), 'listPulls'])
})
