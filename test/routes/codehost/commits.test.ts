import t from '../../tap.js'
import { makeToken } from '../account/actors.js'
import { asAdmin, workspace } from '../../app.js'
import { actor, makeConnected, steer } from './actors.js'

const app = await workspace(t)
const sandbox = steer(app)
const { get, json } = actor(app)
const bruno = actor(app, (await makeConnected(app, 'bruno')).headers)

interface Item { sha: string, headline: string, repo_id: string }
const headlines = ({ items }: { items: Item[] }) => items.map(({ headline }) => headline)
const shas = ({ items }: { items: Item[] }) => items.map(({ sha }) => sha)

const newest = {
  sha: '79987598baab81b5d5557c4a2df52597c942eb7c',
  repo_id: '7001',
  message: 'Fix memory use of the search page\n\nIndex once, at the start.',
  message_truncated: false,
  headline: 'Fix memory use of the search page',
  author: {
    name: 'Bruno Hartmann',
    email: 'bruno@larkspur.example',
    login: 'bruno',
    user_id: '5002',
    date: '2026-11-18T04:23:00.000Z'
  },
  committer: {
    name: 'Bruno Hartmann',
    email: 'bruno@larkspur.example',
    login: 'bruno',
    user_id: '5002',
    date: '2026-11-18T04:23:00.000Z'
  },
  parents: ['a238eef51678b9e566c472f568b9715043932e2e'],
  verified: { state: 'unverified', reason: 'unsigned' },
  html_url: `${app.sandbox.codehost}/larkspur/web/commit/79987598baab81b5d5557c4a2df52597c942eb7c`
}

t.test('commits, the newest first', async (t) => {
  const { items, next_cursor, ...page } = await json('/repos/7001/commits?limit=2')
  t.same([items[0], page], [newest, { stale: false, as_of: null }])
  t.match(items[1], { headline: 'Release 1.5.0', verified: { state: 'verified', reason: 'valid' } })
  t.type(next_cursor, 'string')
})

t.test('a push between two pages neither repeats nor skips any', async (t) => {
  const all = shas(await json('/repos/7001/commits?limit=100'))
  const pages: string[] = []
  let cursor: string | null = ''
  for (let count = 0; cursor !== null && count < 10; count++) {
    const page: { items: Item[], next_cursor: string | null } =
      await json(`/repos/7001/commits?limit=7${cursor && `&cursor=${cursor}`}`)
    pages.push(...shas(page))
    cursor = page.next_cursor
    await sandbox.commit({ repository: 'larkspur/web', message: `In between ${count}` })
  }
  t.same(pages, all)
  t.same(headlines(await json('/repos/7001/commits?limit=2')), ['In between 3', 'In between 2'])
})

t.test('commits are listed by ref, path, author and time', async (t) => {
  t.same(headlines(await json('/repos/7001/commits?ref=feature/stock&limit=1')), ['Show stock on the product page'])
  t.same(headlines(await json(`/repos/7001/commits?ref=${newest.sha}&limit=1`)), [newest.headline])
  t.same(headlines(await json('/repos/7001/commits?path=src/price.ts')),
    ['Round prices half up', 'Show prices with their currency'])
  const byOctavia = headlines(await json('/repos/7002/commits?author=octavia&limit=3'))
  t.same(byOctavia, ['Build a static binary', 'Add metrics', 'Add a time limit to every query'])
  const since = await json('/repos/7001/commits?since=2026-11-15T21:00:00%2B01:00&until=2026-11-19T00:00:00Z')
  t.same(headlines(since), [newest.headline, 'Release 1.5.0'])
  const filtered = await json('/repos/7001/commits?author=bruno&limit=2')
  const next = await json(`/repos/7001/commits?author=bruno&limit=2&cursor=${filtered.next_cursor}`)
  t.same(headlines(next), ['Show the delivery date', 'Fix a leak in the image cache'])
})

t.test('invalid queries are refused', async (t) => {
  const cases = [
    ['ref=nowhere', 404, 'codehost_not_found'], ['ref=..%2F..%2Fuser', 400, 'invalid_request'],
    ['ref=-x', 400, 'invalid_request'], ['ref=a%20b', 400, 'invalid_request'],
    ['since=yesterday', 400, 'invalid_request'], ['author=a%20b', 400, 'invalid_request'],
    ['since=2016-12-31T23:59:60Z', 400, 'invalid_request'],
    ['limit=0', 400, 'invalid_request'], ['path=', 400, 'invalid_request']
  ] as const
  for (const [query, status, code] of cases) {
    const answer = await get(`/repos/7001/commits?${query}`)
    t.match([answer.statusCode, answer.json().code], [status, code], query)
  }
})

t.test('an empty repository has no commits, and that is no error', async (t) => {
  const { id } = await sandbox.call('POST', '/repositories', { owner: 'larkspur', name: 'blank' })
  const none = { items: [], next_cursor: null, stale: false, as_of: null }
  t.same(await json(`/repos/${id}/commits`), none)
  t.same(await json(`/repos/${id}/commits?author=bruno`), none)
  t.same(await json(`/repos/${id}/pulls`), none)
})

t.test('long messages are cut, and say so; texts that no database holds come through', async (t) => {
  await sandbox.commit({ repository: 'larkspur/web', message: `Long\n\n${'é'.repeat(40_000)}` })
  const [long] = (await json('/repos/7001/commits?limit=1')).items
  t.same([long.headline, long.message_truncated, Buffer.byteLength(long.message)], ['Long', true, 65_536])
  const message = 'Nul \0 and half \ud83d of a pair'
  await sandbox.commit({ repository: 'larkspur/web', message })
  const [odd] = (await json('/repos/7001/commits?limit=1')).items
  t.match(odd.headline, /^Nul \0 and half . of a pair$/u)
})

t.test('addresses of people only with the scope for them', async (t) => {
  const { headers } = await makeToken(app, asAdmin, ['codehost:read'])
  const [bare] = (await actor(app, headers).json(`/repos/7001/commits?ref=${newest.sha}&limit=1`)).items
  t.same([bare.author.email, bare.author.login], [null, 'bruno'])
  const wide = await makeToken(app, asAdmin, ['codehost:read', 'codehost:email'])
  const [full] = (await actor(app, wide.headers).json(`/repos/7001/commits?ref=${newest.sha}&limit=1`)).items
  t.equal(full.author.email, 'bruno@larkspur.example')
  const [found] = (await actor(app, headers).json('/commits/search?q=memory')).items
  t.equal(found.author.email, null)
})

t.test('a warm page costs two conditional requests: for the repository and for the commits', async (t) => {
  await json('/repos/7002/commits?limit=3')
  const calls = await sandbox.during(() => json('/repos/7002/commits?limit=3'))
  const requests = calls.map(({ operation, status }) => `${operation} ${status}`)
  t.same(requests.sort(), ['getRepository 304', 'listCommits 304'])
})

t.test('search finds words in messages, and says what it did not do', async (t) => {
  const { items, next_cursor, ...rest } = await json('/commits/search?q=memory')
  t.same(items, [newest])
  t.same([next_cursor, rest], [null, {
    stale: false,
    as_of: null,
    total_count: 1,
    incomplete_results: false,
    hidden_organizations: [],
    searched_branch: 'default'
  }])
  const fixes = await json('/commits/search?q=fix&limit=4')
  t.equal(fixes.total_count, 6)
  const more = await json(`/commits/search?q=fix&limit=4&cursor=${fixes.next_cursor}`)
  t.equal(new Set([...shas(fixes), ...shas(more)]).size, 6)
  t.equal(more.next_cursor, null)
  t.match((await get(`/commits/search?q=add&limit=4&cursor=${fixes.next_cursor}`)).json(), { code: 'invalid_cursor' })
  const narrow = '/commits/search?q=fix&repo_id=7002&author=bruno&since=2026-11-01T00:00:00.123Z'
  t.same(headlines(await json(narrow)), ['Fix double charging'])
  t.same((await json('/commits/search?q=fix&until=2020-01-01T00:00:00Z')).items, [])
  t.same(headlines(await json('/commits/search?q=Fix:+double')), [], 'a colon alone is no qualifier')
})

t.test('B18: a search reaches what the caller sees and nothing else', async (t) => {
  const tricks = [
    'x repo:mallory/secret', 'x org:mallory', 'user:mallory', 'plan (repo:mallory/secret)', '-repo:larkspur/web it',
    'x is:private', 'it OR repo:mallory/secret', 'x "author:mallory', 'author-email:x', 'hash:abc',
    'REPO:mallory/secret'
  ]
  for (const q of tricks) {
    const answer = await get(`/commits/search?q=${encodeURIComponent(q)}`)
    t.match([answer.statusCode, answer.json().code], [400, 'unsupported_qualifier'], q)
  }
  t.same((await json('/commits/search?q=Write+it+down')).items, [])
  t.match((await get('/commits/search?q=x&repo_id=7004')).json(), { status: 404, code: 'repo_not_found' })
  t.match((await get('/commits/search?q=x&repo_id=x')).json(), { status: 400 })
  const found: { items: Item[] } = await bruno.json('/commits/search?q=Initial')
  t.same(found.items.map((item) => item.repo_id).sort(), ['7001', '7002'], 'as bruno, who does not see infra')
  for (const q of ['', '%20', 'x'.repeat(257)]) t.equal((await get(`/commits/search?q=${q}`)).statusCode, 400)
  t.equal((await get('/commits/search')).statusCode, 400)
})
