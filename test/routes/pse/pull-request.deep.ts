import t from '../../tap.js'
import { chat, confirm, follow, framesOf, scripted, openChat } from '../../chat.js'
import { makePerson, makeToken } from '../account/actors.js'
import { asAdmin } from '../../app.js'
import { actor as codehostActor, makeConnected, steer } from '../codehost/actors.js'
import { actor, generate, makeSession, missing } from './actors.js'

const { app, anthropic } = await openChat(t)
const { get, post, json } = actor(app)
const sandbox = steer(app)
const codehost = codehostActor(app)
const isWrite = ({ method }: { method: string }) => method !== 'GET'

const text = '# Features\n\nDoors must open. Ask @mallory, see #3.\n\nThe limit must be TBD.\n'
const textAt = async (path: string, ref: string) =>
  (await codehost.json(`/repos/7001/contents?path=${path}&ref=${ref}`)).text
const makeSpec = async () => {
  const made = await makeSession(app, text)
  await generate(app, made.path)
  return { ...made, branch: `spec/parcel-lockers-${made.id.slice(-8)}` }
}
const edit = (version: number, value: string) => ({
  inputs: [{ kind: 'edit', base_version: version, ops: [{ op: 'replace', target: 'sections.summary', value }] }]
})

t.test('an export opens a pull request, a newer version updates it, the same version does nothing', async (t) => {
  const { path, branch } = await makeSpec()
  const open = (more: object = {}) => post(`${path}/pull-request`,
    { repo_id: '7001', layout: 'spec-kit', path_prefix: 'docs', ...more })
  const first = await open()
  t.equal(first.statusCode, 201, first.payload)
  const { pull, commit, ...rest } = first.json()
  t.equal(pull.base.ref, 'main', 'the default branch, by its name')
  const { files } = await json(`${path}/files?layout=spec-kit`)
  const paths = files.map((file: { path: string }) => `docs/${file.path}`)
  t.same(rest, { version: 1, layout: 'spec-kit', paths, outcome: 'opened' })
  t.match(pull, {
    title: 'Spec: Parcel lockers', state: 'open', draft: false, author: 'octavia', head: { ref: branch, sha: commit }
  })
  for (const [at, file] of files.entries()) t.equal(await textAt(paths[at], branch), file.content)
  const calls = await sandbox.during(async () => {
    const again = await open()
    t.match([again.statusCode, again.json()], [200, { outcome: 'unchanged', commit, pull: { number: pull.number } }])
  })
  t.same(calls.filter(isWrite).map(({ operation }) => operation).filter((name) => name !== 'createTree'), [])
  await post(`${path}/inputs`, edit(1, 'All about doors.'))
  t.match((await open()).json(), { version: 2, outcome: 'updated', pull: { number: pull.number } })
  t.match(await textAt(paths[0], branch), /All about doors\./)
  t.match((await open({ version: 1 })).json(), { version: 1, outcome: 'updated' }, 'an older one, if it is asked for')
})

t.test('an OpenSpec change in a pull request is one folder, however many deltas it has', async (t) => {
  const rules = Array.from({ length: 12 }, (_, at) => `Door ${at} must open within ${at + 1} seconds.`)
  const { path } = await makeSession(app, rules.join('\n\n'))
  await generate(app, path)
  const open = (more: object) => post(`${path}/pull-request`, { repo_id: '7001', layout: 'openspec', ...more })
  const folders = ({ paths }: { paths: string[] }) => new Set(paths.map((name) => name.split('/')[2]))
  const first = (await open({})).json()
  t.same(folders(first), new Set(['add-parcel-lockers']))
  await post(`${path}/inputs`, edit(1, 'All about doors.'))
  const second = (await open({ from: 1 })).json()
  t.same(folders(second), new Set(['update-parcel-lockers-since-1']))
})

t.test('the pull request lists the findings, and mentions no user and no issue', async (t) => {
  const { path } = await makeSpec()
  const calls = await sandbox.during(async () => { await post(`${path}/pull-request`, { repo_id: '7001' }) })
  const { body } = calls.find(({ operation }) => operation === 'createPull')?.body as { body: string }
  const { checks } = await json(`${path}/versions/1`)
  t.match(body, /^Version 1 of the spec “Parcel lockers”\.\n\n> Sorted without a language model/)
  t.ok(body.includes(`| Checks | ${checks.verdict}: ${checks.counts.error} error`))
  t.match(body, /## Findings\n\n\| Severity \| Rule \| Where \| What \|\n/)
  for (const { rule_id, target } of checks.findings) t.ok(body.includes(`| ${rule_id} | ${target} |`), rule_id)
  t.notMatch(body, /[@#][\p{L}\p{N}]/u)
})

t.test('refused pull requests get their own errors and write nothing', async (t) => {
  const { path } = await makeSpec()
  const open = (more: object, who = actor(app)) => who.post(`${path}/pull-request`, { repo_id: '7001', ...more })
  const max = actor(app, (await makePerson(app, 'Max', 'member')).headers)
  const mallory = actor(app, (await makeConnected(app, 'mallory')).headers)
  const vera = actor(app, (await makeConnected(app, 'bruno', 'viewer')).headers)
  const half = actor(app, (await makeToken(app, asAdmin, ['pse:read', 'pse:write'])).headers)
  const calls = await sandbox.during(async () => {
    const alone = (await open({}, max)).json()
    t.match(alone, { status: 409, code: 'codehost_not_connected' })
    t.match(alone.connect_url ?? alone.authorize_url, /\/codehost-oauth\/authorize/)
    t.match((await open({}, mallory)).json(), { status: 403, code: 'codehost_forbidden' }, 'without write access')
    t.match((await open({}, vera)).json(), { status: 403, code: 'insufficient_role' })
    t.match((await open({}, half)).json(), { status: 403, code: 'insufficient_scope' })
    t.match((await open({ repo_id: '99' })).json(), { status: 404, code: 'repo_not_found' })
    t.match((await open({ version: 7 })).json(), { status: 404, code: 'not_found' })
    t.match((await open({ head: 'main' })).json(),
      { status: 400, code: 'invalid_request', errors: [{ pointer: '/head' }] })
    t.match((await open({ base: 'nowhere' })).json(), { status: 404, code: 'codehost_not_found' })
    for (const prefix of ['../up', '/etc', 'a/.git', 'a//b']) {
      t.match((await open({ path_prefix: prefix })).json(),
        { status: 400, code: 'invalid_request', errors: [{ pointer: '/path_prefix' }] }, prefix)
    }
    t.match((await open({ layout: 'word' })).json(), { status: 400, errors: [{ pointer: '/layout' }] })
    t.match((await post(`/sessions/${missing}/pull-request`, { repo_id: '7001' })).json(), { code: 'not_found' })
    const bare = (await post('/sessions', { title: 'Bare' })).json()
    t.match((await post(`/sessions/${bare.session_id}/pull-request`, { repo_id: '7001' })).json(),
      { status: 409, code: 'no_version' })
  })
  t.same(calls.filter(isWrite), [])
  await sandbox.commit({ repository: 'larkspur/web', branch: 'theirs', message: 'Mine', files: { 'x.md': 'x' } })
  t.match((await open({ head: 'theirs' })).json(), { status: 409, code: 'branch_taken' })
  await sandbox.fault({ kind: 'error_502', operation: 'createPull', times: 2 })
  t.match((await open({})).json(), { status: 502, code: 'codehost_error' })
  t.match((await open({})).json(), { outcome: 'opened' }, 'the next call continues with the existing branch')
})

t.test('the assistant asks for approval with the target and the content of the pull request', async (t) => {
  const { id, path, branch } = await makeSpec()
  const call = (more: object) => ({
    content: [{ type: 'tool_use' as const, name: 'openSpecPull', input: { session_id: id, repo_id: '7001', ...more } }]
  })
  const done = { content: [{ type: 'text' as const, text: 'Done.' }] }
  const message = scripted(anthropic, [call({}), done])
  let started: Awaited<ReturnType<typeof chat>> | undefined
  const calls = await sandbox.during(async () => { started = await chat(app, { message }) })
  t.same(calls.filter(isWrite), [], 'nothing is written yet')
  const question = framesOf(started?.frames ?? [], 'confirmation_required')[0]?.data ?? {}
  const into = 'into main'
  t.match(question, {
    name: 'openSpecPull',
    arguments: { version: 1, base: 'main', head: branch, expected_head: null },
    risk: 'high',
    summary: `Open a pull request in larkspur/web with version 1 of the spec “Parcel lockers” (one file), ${into}`
  })
  const markdown = (await get(`${path}/export`)).payload
  t.match(question.preview, [
    { label: 'Repository', before: null, after: 'larkspur/web (public: anybody can read it)' },
    { label: 'Version', before: null, after: '1' },
    { label: 'Branch', before: null, after: `${branch}, to be merged ${into}` },
    { label: 'Title', before: null },
    { label: 'Text', before: null },
    { label: 'File parcel-lockers.md', before: null, after: markdown }
  ])
  await actor(app).post(`${path}/inputs`, { inputs: [{ kind: 'text', text: 'The door must close by itself.' }] })
  t.equal((await generate(app, path)).spec.version, 2)
  const { session_id, confirmation_id } = question
  await confirm(app, { session_id, confirmation_id, approved: true })
  const { frames } = await follow(app, String(session_id), `${started?.run}:0`)
  t.match(framesOf(frames, 'tool_result').at(-1)?.data, { status: 'succeeded', http_status: 201 })
  t.equal(await textAt('parcel-lockers.md', branch), markdown, 'the version that was approved, not the newest')
})
