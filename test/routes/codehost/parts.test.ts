import t from '../../tap.js'
import { buildApp } from '../../app.js'
import { actor, renewToken, steer } from './actors.js'

const app = await buildApp(t)
const sandbox = steer(app)
const { get, json } = actor(app)
const sso = (organizations: string) => ({ 'x-github-sso': `partial-results; organizations=${organizations}` })

t.afterEach(() => sandbox.clear())

t.test('a list and a search name the organizations that the code host left out', async (t) => {
  t.same((await json('/repos')).hidden_organizations, [])
  await renewToken(app, 'octavia')
  await sandbox.fault({ kind: 'headers', operation: 'listRepositories', headers: sso('31, 32'), times: 0 })
  await sandbox.fault({ kind: 'headers', operation: 'searchCommits', headers: sso('33'), times: 0 })
  t.same((await json('/repos')).hidden_organizations, ['31', '32'])
  t.same((await json('/repos')).hidden_organizations, ['31', '32'], 'of an answer that is confirmed too')
  t.match(await json('/commits/search?q=memory'),
    { incomplete_results: true, hidden_organizations: ['31', '32', '33'], items: [{}] })
  t.match(await json('/commits/search?q=memory&repo_id=7001'),
    { incomplete_results: true, hidden_organizations: ['33'], total_count: 1 })
})

t.test('a refusal says why, and what a person can do', async (t) => {
  const saml = 'https://github.example/orgs/larkspur/sso?authorization_request=AAAA'
  const restricted = 'Although you appear to have the correct authorization credentials, the `larkspur` organization '
  const cases: [object, object][] = [
    [
      { headers: { 'x-github-sso': `required; url=${saml}` }, message: 'Resource protected by organization SAML' },
      { reason: 'sso_required', sso_url: saml, detail: /open https:\/\/github\.example/ }
    ],
    [{ headers: { 'x-github-sso': 'required; url=javascript:x' } }, { reason: 'sso_required', sso_url: null }],
    [{ message: `${restricted}has enabled OAuth App access restrictions, meaning that` },
      { reason: 'oauth_app_restricted' }],
    [{ message: `${restricted}has an IP allow list enabled, and 192.0.2.1 is not permitted` },
      { reason: 'ip_not_allowed' }],
    [
      {
        message: 'Resource not accessible by integration',
        headers: { 'x-accepted-github-permissions': 'contents=read; metadata=read' }
      },
      { reason: 'permission_missing', permissions: 'contents=read; metadata=read' }
    ],
    [{ headers: { 'x-accepted-oauth-scopes': 'repo', 'x-oauth-scopes': 'read:org, user' } },
      { reason: 'scope_missing', scopes: ['repo'] }],
    [
      {
        status: 451,
        message: 'Repository access blocked',
        body: { block: { reason: 'dmca', created_at: '2026-01-02T00:00:00Z', html_url: 'https://github.example/dmca' } }
      },
      { reason: 'blocked', block_reason: 'dmca', block_url: 'https://github.example/dmca' }
    ],
    [{ status: 451 }, { reason: 'blocked', block_reason: null }],
    [{ message: 'Must have admin rights to Repository.' }, { reason: 'not_allowed' }]
  ]
  for (const [fault, expected] of cases) {
    await sandbox.fault({ kind: 'error', status: 403, operation: 'listCommits', ...fault })
    t.match((await get('/repos/7002/commits?author=bruno')).json(),
      { status: 403, code: 'codehost_forbidden', ...expected }, JSON.stringify(expected))
    await sandbox.clear()
  }
})

t.test('a search reaches the repositories of all owners, and counts only what one search finds', async (t) => {
  const owners = Array.from({ length: 40 }, (_, i) => `guild-${String(i).padStart(2, '0')}`)
  for (const login of owners) {
    await sandbox.call('POST', '/organisations', { login })
    await sandbox.call('POST', '/repositories', { owner: login, name: 'notes' })
    await sandbox.call('PUT', '/access', { repository: `${login}/notes`, login: 'octavia', permission: 'write' })
    await sandbox.commit({ repository: `${login}/notes`, message: 'Plant a heather' })
  }
  const found: string[] = []
  let cursor: string | null = ''
  for (let pages = 0; cursor !== null && pages < 9; pages++) {
    const page: { items: { repo_id: string }[], next_cursor: string | null, total_count: number | null } =
      await json(`/commits/search?q=heather&limit=15${cursor && `&cursor=${cursor}`}`)
    t.equal(page.total_count, null)
    found.push(...page.items.map(({ repo_id: id }) => id))
    cursor = page.next_cursor
  }
  t.equal(new Set(found).size, owners.length)
  t.equal(found.length, owners.length)
})
