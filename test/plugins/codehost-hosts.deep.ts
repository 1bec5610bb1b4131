import Fastify from 'fastify'
import t from '../tap.js'
import { sandboxToken, startCodehostSandbox } from 'steward-sandbox/codehost'
import { buildApp, type App } from '../app.js'
import { actor, connect, steerAt } from '../routes/codehost/actors.js'

/** @returns an application with this code host, connected for the admin */
const connected = async (overrides: Record<string, string>, token: string): Promise<App> => {
  const app = await buildApp(t, overrides)
  await connect(app, app.home.admin_id, { account_id: '5001', login: 'octavia', token })
  return app
}

t.test('an Enterprise Server, by CODEHOST_URL alone or with CODEHOST_API_URL', async (t) => {
  const host = await startCodehostSandbox()
  t.teardown(() => host.close())
  const sandbox = steerAt(host.controlUrl)
  await sandbox.call('POST', '/settings', { rate_limits: false })
  const app = await connected({ CODEHOST_URL: host.url }, sandboxToken('octavia'))
  t.notMatch(app.sandbox.providers, ['codehost'])
  const calls = await sandbox.during(async () => {
    t.equal((await actor(app).json('/repos')).items.length, 3)
    t.match(await actor(app).json('/repos/7001'), { html_url: `${host.url}/larkspur/web` })
    t.equal((await actor(app).json('/repos/7001/commits?limit=5')).items.length, 5)
  })
  t.same(calls.map(({ path }) => path).sort(), [
    '/api/v3/repos/larkspur/web/commits', '/api/v3/repositories/7001', '/api/v3/repositories/7001',
    '/api/v3/user/repos'
  ])
})

t.test('an address that is no REST API is named, with what to set', async (t) => {
  const host = Fastify({ forceCloseConnections: true })
  host.get('/api/v3/user/repos', async (_request, reply) => reply.type('text/html').send('<h1>Sign in</h1>'))
  host.setNotFoundHandler((_request, reply) => reply.code(404).type('text/html').send('<h1>Not here</h1>'))
  const url = await host.listen({ host: '127.0.0.1', port: 0 })
  t.teardown(() => host.close())
  const app = await connected({ CODEHOST_URL: url }, 'token')
  const missing = await actor(app).json('/repos/7001')
  t.match(missing, { status: 502, code: 'codehost_bad_response' })
  t.equal(missing.detail, `${url}/api/v3/repositories/7001 answered 404, and not as the REST API of a code host ` +
    'does. Set CODEHOST_API_URL to the address of that API')
  t.match(await actor(app).json('/repos'), {
    status: 502,
    code: 'codehost_bad_response',
    detail: 'The code host answered with a page, not with JSON: set CODEHOST_API_URL to its REST API'
  })
})

const sha = (digit: string) => digit.repeat(40)
const repository = (id: number, name: string, more: object = {}) => ({ id, full_name: `acme/${name}`, ...more })

/** Answers as Forgejo, Gitea and old Enterprise Servers do: less of it, in other words, under another path. */
const startDialect = async () => {
  const host = Fastify({ forceCloseConnections: true })
  const asked: { url: string, authorization: string | undefined, conditional: boolean }[] = []
  host.addHook('onRequest', async ({ url, headers }) => {
    const { authorization } = headers
    const conditional = headers['if-none-match'] !== undefined || headers['if-modified-since'] !== undefined
    asked.push({ url, authorization, conditional })
  })
  const all = [
    repository(1, 'one', { default_branch: '', owner: { id: -1, login: '' }, internal: true }),
    repository(2, 'two', { visibility: 'internal', description: '', owner: null, permissions: null }),
    repository(3, 'three', { private: true, permissions: { admin: false, push: true, pull: true } })
  ]
  const commits = ['a', 'b', 'c', 'd', 'e'].map((digit, i) => ({
    sha: sha(digit),
    commit: { message: `Commit ${digit}`, author: { name: 'A', email: 'a@x', date: '2026-01-01T01:00:00+01:00' } },
    author: [null, {}, { id: -1, login: 'Ghost' }, { id: 7, login: 'ann' }, undefined][i],
    parents: null
  }))
  await host.register(async (api) => {
    // No more than two a page, whatever is asked; no Link header, no ETag.
    const page = <T>(items: T[], query: unknown) => {
      const { page: number = '1' } = query as { page?: string }
      return items.slice(Number(number) * 2 - 2, Number(number) * 2)
    }
    api.get('/user/repos', async ({ query }, reply) => {
      reply.header('x-total-count', '3')
      return page(all, query)
    })
    api.get('/repos/acme/:name', async ({ params }) =>
      all.find(({ full_name: name }) => name === `acme/${(params as { name: string }).name}`))
    api.get('/repositories/:id', async ({ params }, reply) =>
      all.find(({ id }) => String(id) === (params as { id: string }).id) ?? reply.code(404).send({ message: 'no' }))
    api.get('/repos/acme/one/commits', async ({ query }, reply) => {
      reply.header('x-total-count', '5').header('last-modified', 'Thu, 01 Jan 2026 00:00:00 GMT')
      return page(commits, query)
    })
    const end = (ref: string) => ({ ref, sha: sha('a'), repo: null })
    api.get('/repos/acme/one/pulls', async () => [{
      id: 1,
      number: 1,
      title: 'Say less',
      state: 'open',
      user: null,
      labels: null,
      requested_reviewers: null,
      head: end('x'),
      base: end('main'),
      created_at: '2026-01-01T00:00:00Z',
      updated_at: '2026-01-01T00:00:00Z'
    }])
    api.get('/repos/acme/one/pulls/1/reviews', async () => [
      { user: { id: 7, login: 'ann' }, state: 'REQUEST_CHANGES' },
      { user: { id: 8, login: 'bob' }, state: 'REQUEST_CHANGES', dismissed: true },
      { user: null, state: 'APPROVED', official: true }, { user: null, state: 'APPROVED' },
      { user: null, state: 'PENDING' }
    ])
    api.get('/repos/acme/one/commits/:sha/status', async () => ({
      state: 'success',
      total_count: 2,
      statuses: [{ context: 'ci/one', status: 'success' }, { context: 'ci/two', status: 'warning' }]
    }))
    api.get('/repos/acme/one/issues/4', async () => ({
      number: 4,
      title: 'Less',
      state: 'open',
      user: { id: -1, login: '' },
      labels: ['bug'],
      pull_request: null,
      created_at: '2026-01-01T00:00:00Z',
      updated_at: '2026-01-01T00:00:00Z'
    }))
  }, { prefix: '/forge/api/v1' })
  const url = await host.listen({ host: '127.0.0.1', port: 0 })
  return { url, asked, close: () => host.close() }
}

t.test('a host that says less, in other words', async (t) => {
  const host = await startDialect()
  t.teardown(() => host.close())
  const app = await connected(
    { CODEHOST_URL: `${host.url}/forge`, CODEHOST_API_URL: `${host.url}/forge/api/v1/` }, 'forge-token')
  const { json } = actor(app)

  await t.test('lists without Link headers are not cut at the first page', async (t) => {
    const listed = await json('/repos')
    t.match(listed, { next_cursor: null, stale: false, as_of: null })
    t.match(listed.items, [
      { id: '1', default_branch: 'main', owner: { id: null, login: 'acme', type: null }, permission: 'read' },
      { id: '2', private: true, permission: 'read' }, { id: '3', private: true, permission: 'write' }
    ])
    const commits = await json('/repos/1/commits?limit=3')
    t.same(commits.items.map((item: { headline: string }) => item.headline), ['Commit a', 'Commit b', 'Commit c'])
    const rest = await json(`/repos/1/commits?limit=3&cursor=${commits.next_cursor}`)
    t.same(rest.items.map((item: { headline: string }) => item.headline), ['Commit d', 'Commit e'])
    t.equal(rest.next_cursor, null)
  })

  await t.test('what is missing is null', async (t) => {
    const { items } = await json('/repos/1/commits?limit=5')
    const people = items.map(({ author }: Record<string, Record<string, unknown>>) => [author?.user_id, author?.login])
    t.same(people, [[null, null], [null, null], [null, 'Ghost'], ['7', 'ann'], [null, null]])
    t.match(items[0], {
      parents: [], html_url: null, verified: { state: 'unknown', reason: null }, committer: { name: null, date: null }
    })
    t.equal(items[0].author.date, '2026-01-01T00:00:00.000Z')
    t.match((await json('/repos/1/pulls')).items, [{
      author: null,
      labels: [],
      draft: false,
      head: { repo_id: null },
      html_url: null,
      reviews: { decision: 'changes_requested', approvals: 1, other_approvals: 1, changes_requested: 1 },
      checks: { state: 'success', total: 2, skipped: 1 }
    }])
    t.match(await json('/repos/1/issues/4'),
      { is_pull: false, author: null, labels: ['bug'], body: null, comments: null, html_url: null })
    t.match(await json('/repos/9'), { code: 'repo_not_found' })
  })

  await t.test('it is asked under its own path, and by date where it has no ETag', async (t) => {
    host.asked.length = 0
    t.equal((await json('/repos/1/commits?limit=5')).items.length, 5)
    t.ok(host.asked.every(({ url }) => url.startsWith('/forge/api/v1/')))
    t.ok(host.asked.every(({ authorization }) => authorization === 'token forge-token'))
    t.ok(host.asked.some(({ url, conditional }) => url.includes('/commits') && conditional))
    t.notOk(host.asked.some(({ url, conditional }) => url.includes('/repositories/') && conditional))
  })
})

t.test('without a code host every operation says so', async (t) => {
  const app = await buildApp(t, { SANDBOX: 'off' })
  for (const path of ['/repos', '/repos/1', '/repos/1/commits', '/repos/1/pulls', '/commits/search?q=x']) {
    t.match((await actor(app).get(path)).json(), { status: 503, code: 'codehost_not_configured' }, path)
  }
})
