import t from '../../tap.js'
import { workspace } from '../../app.js'
import { actor, makeConnected, steer } from './actors.js'

const app = await workspace(t)
const sandbox = steer(app)
const { get, json } = actor(app)
const fresh = { stale: false, as_of: null }
const web = `${app.sandbox.codehost}/larkspur/web`

t.test('a file comes with its text, a folder with what lies in it', async (t) => {
  t.same(await json('/repos/7001/contents?path=README.md'), {
    repo_id: '7001',
    path: 'README.md',
    type: 'file',
    sha: '696621534b05e3db18c3a06a912069f2a87f4372',
    size: 35,
    text: '# web\n\nThe shop front of Larkspur.\n',
    entries: null,
    html_url: `${web}/blob/main/README.md`,
    ...fresh
  })
  const { entries, ...root } = await json('/repos/7001/contents')
  t.same(root,
    { repo_id: '7001', path: '', type: 'folder', sha: null, size: null, text: null, html_url: null, ...fresh })
  t.same(entries.map(({ path, type }: Record<string, string>) => `${type} ${path}`), [
    'file .gitignore', 'file Dockerfile', 'file README.md', 'folder docs', 'file package.json', 'folder src'
  ])
  t.same((await json('/repos/7001/contents?path=docs')).entries, [{
    type: 'file', name: 'deploy.md', path: 'docs/deploy.md', size: 24, html_url: `${web}/blob/main/docs/deploy.md`
  }])
})

t.test('files are read at a branch or a commit, with any characters in their names', async (t) => {
  t.match(await json('/repos/7001/contents?path=src/stock.ts&ref=feature/stock'),
    { text: '// Show stock on the product page\n' })
  t.match((await get('/repos/7001/contents?path=src/stock.ts')).json(), { status: 404, code: 'codehost_not_found' })
  t.match((await get('/repos/7001/contents?ref=nowhere')).json(), { status: 404, code: 'codehost_not_found' })
  const path = 'docs/ä b%2f#?.md'
  await sandbox.commit({ repository: 'larkspur/web', files: { [path]: 'odd\n' } })
  t.match(await json(`/repos/7001/contents?path=${encodeURIComponent(path)}`), { path, text: 'odd\n' })
  for (const bad of ['../x', 'a/../b', '/etc', 'a/./b', 'a%0Ab']) {
    t.match((await get(`/repos/7001/contents?path=${bad}`)).json(), { status: 400, code: 'invalid_request' }, bad)
  }
})

t.test('an issue, or a pull request by the same number', async (t) => {
  const issue = await json('/repos/7001/issues/6')
  t.same(issue, {
    repo_id: '7001',
    number: 6,
    title: 'Keep the cart when the page is loaded again',
    body: 'Customers lose what they chose.\n\n- It must survive a reload.\n- It must be empty after checkout.',
    body_truncated: false,
    state: 'open',
    is_pull: false,
    author: 'bruno',
    labels: ['feature'],
    comments: 0,
    created_at: '2026-11-20T02:30:00.000Z',
    updated_at: '2026-11-20T02:30:00.000Z',
    closed_at: null,
    html_url: `${web}/issues/6`,
    ...fresh
  })
  t.match(await json('/repos/7001/issues/3'), { is_pull: true, title: 'Show stock on the product page' })
  t.match((await get('/repos/7001/issues/99')).json(), { status: 404, code: 'codehost_not_found' })
  for (const number of ['0', 'x', '1.5']) t.equal((await get(`/repos/7001/issues/${number}`)).statusCode, 400, number)
  const body = 'é'.repeat(50_000)
  const { number } = await sandbox.call('POST', '/issues', { repository: 'larkspur/web', title: 'Long', body })
  const long = await json(`/repos/7001/issues/${number}`)
  t.same([long.body_truncated, Buffer.byteLength(long.body)], [true, 65_536])
})

t.test('files of a hidden repository are not found', async (t) => {
  const mallory = actor(app, (await makeConnected(app, 'mallory')).headers)
  t.match((await mallory.get('/repos/7002/contents?path=README.md')).json(), { status: 404, code: 'repo_not_found' })
  t.match(await mallory.json('/repos/7004/contents?path=plan.md'), { text: 'The plan.\n' })
  t.equal((await get('/repos/7004/contents?path=plan.md')).json().code, 'repo_not_found')
})
