import t from '../../tap.js'
import { asAdmin } from '../../app.js'
import { chat, confirm, follow, framesOf, scripted, openChat } from '../../chat.js'
import { makeToken } from '../account/actors.js'
import { actor, makeConnected, steer } from './actors.js'

const { app, anthropic } = await openChat(t)
const sandbox = steer(app)
const { json, post } = actor(app)
const bruno = actor(app, (await makeConnected(app, 'bruno')).headers)
const mallory = actor(app, (await makeConnected(app, 'mallory')).headers)

const files = [
  { path: 'docs/spec.md', content: '# Spec ä\n' }, { path: 'docs/deploy.md', content: '# Deploy\n\nAsk.\n' }
]
const input = (head: string, more: object = {}) => ({ title: `Add ${head}`, head, files, ...more })
const open = (head: string, more: object = {}) => post('/repos/7001/pulls', input(head, more))
const isWrite = ({ method }: { method: string }) => method !== 'GET'

const textAt = async (path: string, ref: string) =>
  (await json(`/repos/7001/contents?path=${path}&ref=${ref}`)).text

t.test('one branch, one commit with the files, one pull request', async (t) => {
  const calls = await sandbox.during(async () => {
    const answer = await open('steward/one', { body: 'Why', commit_message: 'Write it down', draft: true })
    t.equal(answer.statusCode, 201)
    const { pull, commit, outcome } = answer.json()
    t.equal(outcome, 'opened')
    t.same(pull, {
      id: pull.id,
      number: 7,
      repo_id: '7001',
      title: 'Add steward/one',
      body_excerpt: 'Why',
      state: 'open',
      draft: true,
      author: 'octavia',
      head: { ref: 'steward/one', sha: commit, repo_id: '7001' },
      base: { ref: 'main', sha: '79987598baab81b5d5557c4a2df52597c942eb7c' },
      labels: [],
      requested_reviewers: [],
      requested_teams: [],
      mergeable: true,
      merge_state: 'draft',
      reviews: null,
      checks: null,
      created_at: pull.created_at,
      updated_at: pull.updated_at,
      closed_at: null,
      merged_at: null,
      merge_commit_sha: null,
      html_url: `${app.sandbox.codehost}/larkspur/web/pull/7`
    })
  })
  t.same(calls.filter(isWrite).map(({ operation }) => operation),
    ['createTree', 'createGitCommit', 'createRef', 'createPull'])
  t.equal(await textAt('docs/spec.md', 'steward/one'), '# Spec ä\n')
  const { items: [commit] } = await json('/repos/7001/commits?ref=steward/one&limit=1')
  t.match(commit, {
    message: 'Write it down', author: { login: 'octavia' }, parents: ['79987598baab81b5d5557c4a2df52597c942eb7c']
  })
})

t.test('the same call again changes nothing; other files or texts update the same pull request', async (t) => {
  const first = (await open('steward/two')).json()
  const again = await open('steward/two')
  t.same([again.statusCode, again.json().outcome, again.json().commit], [200, 'unchanged', first.commit])
  const other = await open('steward/two', { title: 'Better', files: [{ path: 'docs/spec.md', content: 'v2\n' }] })
  t.match([other.statusCode, other.json()],
    [200, { outcome: 'updated', pull: { number: first.pull.number, title: 'Better' } }])
  t.same([await textAt('docs/spec.md', 'steward/two'), await textAt('docs/deploy.md', 'steward/two')],
    ['v2\n', '# Deploy\n\nAsk.\n'])
  const { items: [commit] } = await json('/repos/7001/commits?ref=steward/two&limit=1')
  t.same(commit.parents, [first.commit], 'on top of what was there')
  const key = { 'idempotency-key': 'open-two' }
  const kept = await bruno.post('/repos/7001/pulls', input('steward/keyed'), key)
  const calls = await sandbox.during(async () => {
    t.same((await bruno.post('/repos/7001/pulls', input('steward/keyed'), key)).json(), kept.json())
  })
  t.same(calls, [], 'the stored answer')
})

t.test('whichever answer is lost, a second run finds what was done', async (t) => {
  for (const operation of ['createTree', 'createGitCommit', 'createRef', 'createPull', 'updateRef', 'updatePull']) {
    const head = `steward/lost-${operation}`
    const isUpdate = operation.startsWith('update')
    if (isUpdate) await open(head)
    await sandbox.fault({ kind: 'drop', operation, executed: true })
    const content = isUpdate ? 'v2\n' : '# Spec ä\n'
    const answer = await open(head, { title: 'Once', files: [{ path: 'docs/spec.md', content }] })
    t.ok([200, 201].includes(answer.statusCode), `${operation} ${answer.payload}`)
    t.equal(await textAt('docs/spec.md', head), content)
    const pulls = (await json(`/repos/7001/pulls?head=${head}`)).items
    t.same(pulls.map(({ title }: { title: string }) => title), ['Once'], operation)
    t.equal((await json(`/repos/7001/commits?ref=${head}`)).items.length, isUpdate ? 26 : 25, 'no commit twice')
  }
  await sandbox.fault({ kind: 'error_502', operation: 'createPull', times: 2 })
  t.match((await open('steward/left')).json(), { status: 502, code: 'codehost_error' })
  t.match((await open('steward/left')).json(), { outcome: 'opened' }, 'what is left of it is taken up')
})

t.test('a lost answer does not change the reported outcome', async (t) => {
  await sandbox.fault({ kind: 'drop', operation: 'createPull', executed: true })
  const opened = await open('steward/lost')
  t.match([opened.statusCode, opened.json()], [201, { outcome: 'opened', pull: { title: 'Add steward/lost' } }])
  const changes: [string, object][] = [
    ['updatePull', { title: 'Other words' }],
    ['updateRef', { title: 'Other words', files: [{ path: 'docs/spec.md', content: 'other\n' }] }]
  ]
  for (const [operation, more] of changes) {
    await sandbox.fault({ kind: 'drop', operation, executed: true })
    const answer = await open('steward/lost', more)
    t.same([answer.statusCode, answer.json().outcome], [200, 'updated'], operation)
    t.equal((await open('steward/lost', more)).json().outcome, 'unchanged')
  }
})

t.test('ten concurrent calls open one pull request', async (t) => {
  const answers = await Promise.all(Array.from({ length: 10 }, () => open('steward/race')))
  t.ok(answers.every(({ statusCode }) => [200, 201].includes(statusCode)), answers.map(({ payload }) => payload).join())
  t.equal((await json('/repos/7001/pulls?head=steward/race')).items.length, 1)
  t.equal((await json('/repos/7001/commits?ref=steward/race')).items.length, 25)
})

t.test('commits of other people stay', async (t) => {
  await sandbox.commit({ repository: 'larkspur/web', branch: 'theirs', message: 'Mine', files: { 'x.md': 'x' } })
  t.match((await open('theirs')).json(), { status: 409, code: 'branch_taken' })
  t.match((await open('feature/stock', { base: 'main' })).json(), { outcome: 'updated' })
  t.equal(await textAt('src/stock.ts', 'feature/stock'), '// Show stock on the product page\n')
})

t.test('what is executable stays so; a link, a folder and what is below a file are not written over', async (t) => {
  await sandbox.commit({
    repository: 'larkspur/web',
    branch: 'modes',
    files: {
      'bin/run.sh': { text: '#!/bin/sh\n', mode: '100755' },
      'bin/current': { text: 'run.sh', mode: '120000' },
      'bin/plain.txt': 'plain\n'
    }
  })
  await sandbox.call('POST', '/pulls', { repository: 'larkspur/web', title: 'Modes', head: 'modes' })
  const write = (file: object) => open('modes', { files: [{ path: 'bin/new.txt', content: 'new\n' }, file] })
  const modesOf = async () => {
    const octavia = { authorization: 'token gho_sandbox_octavia' }
    const api = `${app.sandbox.codehost}/api/v3/repos/larkspur/web/git/trees/modes?recursive=1`
    const { tree } = await (await fetch(api, { headers: octavia })).json() as { tree: { path: string, mode: string }[] }
    return tree.flatMap(({ path, mode }) => path.startsWith('bin/') ? [`${mode} ${path.slice(4)}`] : [])
  }
  const refused = await sandbox.during(async () => {
    for (const path of ['bin/current', 'bin', 'bin/run.sh/x']) {
      t.match((await write({ path, content: 'x' })).json(),
        { status: 400, code: 'invalid_request', errors: [{ pointer: '/files/1/path', code: 'not_a_file' }] }, path)
    }
  })
  t.same(refused.filter(isWrite), [])
  t.match((await write({ path: 'bin/run.sh', content: '#!/bin/sh\necho\n' })).json(), { outcome: 'updated' })
  t.same(await modesOf(), ['120000 current', '100644 new.txt', '100644 plain.txt', '100755 run.sh'])
  t.match((await write({ path: 'bin/current', content: null })).json(), { outcome: 'updated' })
  t.same(await modesOf(), ['100644 new.txt', '100644 plain.txt', '100755 run.sh'])
})

t.test('the assistant is not asked to approve text over a link', async (t) => {
  await sandbox.commit({
    repository: 'larkspur/web', branch: 'main', files: { 'docs/current.md': { text: 'deploy.md', mode: '120000' } }
  })
  const args = { repo_id: '7001', ...input('steward/link', { files: [{ path: 'docs/current.md', content: 'x' }] }) }
  const turn = { content: [{ type: 'tool_use' as const, name: 'openPull', input: args }] }
  const { frames } = await chat(app, { message: scripted(anthropic, [turn, { content: [] }]) })
  t.same(framesOf(frames, 'confirmation_required'), [])
  t.match(framesOf(frames, 'tool_result')[0]?.data, { status: 'failed', http_status: 400 })
})

t.test('refusals write nothing', async (t) => {
  const cases: [object, number, string][] = [
    [{ head: 'main' }, 400, 'invalid_request'], [{ base: 'steward/x' }, 400, 'invalid_request'],
    [{ base: 'nowhere' }, 404, 'codehost_not_found'], [{ files: [] }, 400, 'invalid_request'],
    [{ files: [files[0], files[0]] }, 400, 'invalid_request'], [{ title: ' ' }, 400, 'invalid_request'],
    [{ files: [{ path: '../x', content: '' }] }, 400, 'invalid_request'],
    [{ files: [{ path: 'a/.GIT/config', content: '' }] }, 400, 'invalid_request'],
    [{ files: [{ path: 'a', content: '', mode: '100755' }] }, 400, 'unknown_field'],
    [{ reviewers: ['bruno'] }, 400, 'unknown_field']
  ]
  const calls = await sandbox.during(async () => {
    for (const [more, status, code] of cases) {
      const answer = await open('steward/x', more)
      t.match([answer.statusCode, JSON.stringify(answer.json())], [status, new RegExp(`"${code}"`)])
    }
    const asMallory = await mallory.post('/repos/7001/pulls', input('steward/x'))
    t.match(asMallory.json(), { status: 403, code: 'codehost_forbidden' }, 'who may only read')
    t.match((await mallory.post('/repos/7002/pulls', input('steward/x'))).json(), { code: 'repo_not_found' })
    const reader = actor(app, (await makeToken(app, asAdmin, ['codehost:read'])).headers)
    t.match((await reader.post('/repos/7001/pulls', input('steward/x'))).json(), { code: 'insufficient_scope' }, '4')
    await sandbox.call('PATCH', '/repositories', { repository: 'larkspur/infra', archived: true })
    t.match((await post('/repos/7003/pulls', input('steward/x'))).json(), { status: 409, code: 'codehost_conflict' })
  })
  t.same(calls.filter(isWrite), [])
  const { id } = await sandbox.call('POST', '/repositories', { owner: 'larkspur', name: 'blank' })
  t.match((await post(`/repos/${id}/pulls`, input('steward/x'))).json(), { status: 404, code: 'codehost_not_found' })
})

t.test('E41: the assistant asks first, and shows where the files go and what is in them', async (t) => {
  const args = { repo_id: '7001', ...input('steward/asked'), body: 'Why' }
  const turn = { content: [{ type: 'tool_use' as const, name: 'openPull', input: args }] }
  const message = scripted(anthropic, [turn, { content: [{ type: 'text', text: 'Done.' }] }])
  let chatted: Awaited<ReturnType<typeof chat>> | undefined
  const calls = await sandbox.during(async () => { chatted = await chat(app, { message }) })
  t.same(calls.filter(isWrite), [], 'nothing is written yet')
  const question = framesOf(chatted?.frames ?? [], 'confirmation_required')[0]?.data ?? {}
  t.match(question, {
    name: 'openPull',
    risk: 'high',
    summary: 'Open a pull request in larkspur/web: branch steward/asked with 2 files, into main'
  })
  t.same(question.preview, [
    { label: 'Repository', before: null, after: 'larkspur/web (public: anybody can read it)' },
    { label: 'Branch', before: null, after: 'steward/asked, to be merged into main' },
    { label: 'Title', before: null, after: 'Add steward/asked' },
    { label: 'Text', before: null, after: 'Why' },
    { label: 'Commit message', before: null, after: 'Add steward/asked' },
    { label: 'File docs/spec.md', before: null, after: '# Spec ä\n' },
    {
      label: 'File docs/deploy.md',
      before: '# Deploy\n\nPush to main.\n',
      after: '# Deploy\n\nAsk.\n',
      diff: '@@ -1,3 +1,3 @@\n # Deploy\n \n-Push to main.\n+Ask.'
    }
  ])
  t.match(question.arguments, { base: 'main', expected_head: null }, 'the branches are pinned')
  const { session_id, confirmation_id } = question
  await confirm(app, { session_id, confirmation_id, approved: true })
  const { frames } = await follow(app, String(session_id), `${chatted?.run}:0`)
  t.match(framesOf(frames, 'tool_result')[0]?.data, { status: 'succeeded', http_status: 201 })
  t.equal((await json('/repos/7001/pulls?head=steward/asked')).items.length, 1)
})

t.test('B22: through the assistant a person may do no more than at the code host', async (t) => {
  const { headers } = await makeToken(app, asAdmin, ['codehost:read', 'agent:read', 'agent:write'])
  const input = { repo_id: '7004', path: 'plan.md' }
  const turn = { content: [{ type: 'tool_use' as const, name: 'browseRepository', input }] }
  const { frames } = await chat(app, { message: scripted(anthropic, [turn, { content: [] }]) }, headers)
  t.match(framesOf(frames, 'tool_result')[0]?.data, { status: 'failed', http_status: 404 })
})
