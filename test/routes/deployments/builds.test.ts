import t from '../../tap.js'
import { BuildState } from '../../../routes/deployments/lib/builds/build-state.js'
import { takePush } from '../../../routes/deployments/lib/apps/take-push.js'
import { makePerson, makeToken, problemOf } from '../account/actors.js'
import { workspace } from '../../app.js'
import { actor, builder, makeApp, missing, registry, sha, type Row } from './actors.js'

// No worker: each test takes and moves the rows itself, as a worker here or elsewhere would.
const app = await workspace(t, { WORKER: 'false' })
const { get, post, remove, json } = actor(app)
const workspace_id = app.home.workspace_id

const { change, claim, start } = builder(app)

t.test('a build is written down whole, and is queued until a worker takes it', async (t) => {
  const shop = await makeApp(app, 'Whole')
  const answer = await post(`/apps/${shop.id}/deploy`, { commit: sha('a') })
  const build = answer.json()
  t.equal(answer.statusCode, 202)
  t.equal(answer.headers.location, `/deployments/apps/${shop.id}/builds/${build.id}`)
  const timeouts: [string, number][] =
    [['checkout', 600], ['deploy', 1_800], ['verify', 600]]
  const { deduplicated, ...plain } = build
  t.equal(deduplicated, false)
  t.same(plain, {
    id: build.id,
    app_id: shop.id,
    number: 1,
    status: 'queued',
    status_reason: null,
    trigger: 'manual',
    ref: sha('a'),
    commit: sha('a'),
    commit_message: null,
    actor: 'Administrator',
    image: `${registry}/web:${sha('a')}`,
    image_digest: null,
    builder: null,
    run: null,
    deployment_id: null,
    rollback_of: null,
    published: null,
    superseded_by: null,
    steps: timeouts.map(([name, timeout_s]) => ({
      name, status: 'pending', started_at: null, finished_at: null, exit_code: null, error: null, timeout_s
    })),
    created_at: build.created_at,
    started_at: null,
    finished_at: null,
    duration_ms: null,
    log: { lines: 0, bytes: 0, truncated: false }
  })
  t.same(await json(`/apps/${shop.id}/builds/${build.id}`), plain)
  t.same(await json(`/apps/${shop.id}/builds`), { items: [plain], next_cursor: null })
  t.match(await json(`/apps/${shop.id}`), {
    status: 'building', queue_length: 1, live_build: null, latest_build: { id: build.id, number: 1, status: 'queued' }
  })
})

t.test('H57: of 20 deploys at once one is active and 19 wait; of the same commit there is one', async (t) => {
  const many = await makeApp(app, 'Many')
  const commits = Array.from({ length: 20 }, (_, index) => index.toString(16).padStart(40, '0'))
  const answers = await Promise.all(commits.map((commit) => post(`/apps/${many.id}/deploy`, { commit })))
  t.same([...new Set(answers.map((answer) => answer.statusCode))], [202])
  t.same(answers.map((answer) => answer.json().number).sort((a, b) => a - b), commits.map((_, index) => index + 1))
  const claims = await Promise.all(commits.map((_, index) =>
    claim(many.id, `01900000-0000-4000-8000-${String(index).padStart(12, '0')}`)))
  t.equal(claims.filter(Boolean).length, 1)
  t.equal(claims.find(Boolean)?.number, 1)
  const list = await json(`/apps/${many.id}/builds?limit=100`)
  t.equal(list.items.filter(({ status }: Row) => status === 'running').length, 1)
  t.equal(list.items.filter(({ status }: Row) => status === 'queued').length, 19)

  const one = await makeApp(app, 'One commit')
  const same = await Promise.all(Array.from({ length: 20 }, () => post(`/apps/${one.id}/deploy`, { commit: sha('b') })))
  t.same(same.map((answer) => answer.statusCode).sort(), [...Array(19).fill(200), 202])
  t.equal(new Set(same.map((answer) => answer.json().id)).size, 1)
  t.equal(same.filter((answer) => answer.json().deduplicated).length, 19)
  await claim(one.id)
  t.match(await start(one.id, { commit: sha('b') }), { status: 'running', deduplicated: true })
  t.match(await start(one.id, { commit: sha('b'), force: true }), { number: 2, deduplicated: false })
  t.match(await start(one.id, { commit: sha('b'), image: `${registry}/web:other` }), { number: 3, deduplicated: false })
  t.match(await start(one.id), { number: 4, ref: 'main', commit: null })
  t.match(await start(one.id), { number: 4, deduplicated: true })
})

t.test('an empty body deploys the default branch; with a key the answer is the same again', async (t) => {
  const bare = await makeApp(app, 'Bare')
  const first = await post(`/apps/${bare.id}/deploy`, undefined, { 'idempotency-key': 'k1' })
  t.match(first.json(), { ref: 'main', commit: null, number: 1, deduplicated: false })
  const again = await post(`/apps/${bare.id}/deploy`, undefined, { 'idempotency-key': 'k1' })
  t.same([again.statusCode, again.json()], [202, first.json()])
})

t.test('at most 25 builds wait', async (t) => {
  const full = await makeApp(app, 'Full')
  for (let i = 0; i < 25; i++) await start(full.id, { commit: i.toString(16).padStart(40, '0') })
  const answer = await post(`/apps/${full.id}/deploy`, { commit: sha('f') })
  t.match(answer.json(), { status: 409, code: 'build_queue_full' })
})

t.test('the newest push wins; builds that a person asked for are kept', async (t) => {
  const pushed = await makeApp(app, 'Pushed', {
    source: { repo: 'larkspur/pushed' }, auto_deploy: { enabled: true, branch: 'main', paths: ['web/', 'lib/*.ts'] }
  })
  await makeApp(app, 'Not pushed', { source: { repo: 'larkspur/pushed' } })
  const push = (digit: string, more: object = {}) => takePush(app, {
    workspace_id,
    repo: 'larkspur/pushed',
    branch: 'main',
    commit: sha(digit),
    message: `Change ${digit}`,
    paths: ['web/a.ts'],
    ...more
  })
  await push('0')
  await claim(pushed.id)
  await push('1')
  await start(pushed.id, { commit: sha('2') })
  await push('3')
  await push('3')
  await push('4', { branch: 'other' })
  await push('5', { paths: ['docs/a.md', 'lib/deep/b.ts'] })
  const { items } = await json(`/apps/${pushed.id}/builds`)
  t.same(items.map(({ commit, status, trigger }: Row) => [commit, trigger, status]), [
    [sha('3'), 'push', 'queued'], [sha('2'), 'manual', 'queued'],
    [sha('1'), 'push', 'superseded'], [sha('0'), 'push', 'running']
  ])
  t.match(items[0], { commit_message: 'Change 3', actor: 'Administrator' })
  t.match(items[2], { superseded_by: items[0].id })
  t.ok(items[2].finished_at)
  const refused = await post(`/apps/${pushed.id}/builds/${items[2].id}/cancel`)
  t.match(refused.json(), { status: 409, code: 'build_finished' })
})

t.test('a push that touches nothing in the folder of an application builds nothing', async (t) => {
  const repo = 'larkspur/folders'
  const auto_deploy = { enabled: true, branch: 'main', paths: [] }
  const shop = await makeApp(app, 'In a folder', { source: { repo, path: '/services/shop/' }, auto_deploy })
  const pushed = async (commit: string, paths: string[] | null) => {
    await takePush(app, { workspace_id, repo, branch: 'main', commit: sha(commit), message: null, paths })
    const { items } = await json(`/apps/${shop.id}/builds?limit=1`)
    return items[0]?.commit === sha(commit)
  }
  t.equal(await pushed('6', ['docs/a.md', 'services/shopping/a.ts', 'services/shop']), false)
  t.equal(await pushed('7', ['docs/a.md', 'services/shop/src/a.ts']), true)
  t.equal(await pushed('8', null), true, 'files that are not known may be in it')
})

t.test('history is paged by number and filtered by status', async (t) => {
  const history = await makeApp(app, 'History')
  for (const digit of ['1', '2', '3', '4']) await start(history.id, { commit: sha(digit) })
  const [first] = (await json(`/apps/${history.id}/builds?limit=100`)).items.toReversed()
  await post(`/apps/${history.id}/builds/${first.id}/cancel`)
  const numbers = async (query: string) => {
    const page = await json(`/apps/${history.id}/builds?${query}`)
    return { numbers: page.items.map(({ number }: Row) => number), next: page.next_cursor }
  }
  const page = await numbers('limit=2&status=queued')
  t.same(page.numbers, [4, 3])
  t.same(await numbers(`limit=2&status=queued&cursor=${page.next}`), { numbers: [2], next: null })
  t.same((await numbers('status=cancelled')).numbers, [1])
  t.match(await json(`/apps/${history.id}/builds?limit=2&cursor=${page.next}`), { status: 400, code: 'invalid_cursor' })
  t.match(await json(`/apps/${history.id}/builds?status=maybe`), { status: 400, code: 'invalid_request' })
})

t.test('cancel before anything is deployed ends the build and frees the app, in one step', async (t) => {
  const stopped = await makeApp(app, 'Stopped')
  const [first, second] = [await start(stopped.id, { commit: sha('1') }), await start(stopped.id, { commit: sha('2') })]
  const held = await claim(stopped.id)
  t.equal(held?.id, first.id)
  t.equal(await claim(stopped.id), undefined, 'one at a time')
  const answer = await post(`/apps/${stopped.id}/builds/${first.id}/cancel`)
  t.equal(answer.statusCode, 200)
  t.match(answer.json(), { status: 'cancelled', status_reason: 'user_cancel' })
  t.same(answer.json().steps.map(({ status }: Row) => status), Array(3).fill('cancelled'))
  t.same((await post(`/apps/${stopped.id}/builds/${first.id}/cancel`)).json(), answer.json(), 'again = the same')
  t.equal((await claim(stopped.id))?.id, second.id)
  await t.rejects(new BuildState(app, held as NonNullable<typeof held>).log('build', 'late'), { name: 'LostLease' })
})

t.test('an app whose build waits or runs is not deleted', async (t) => {
  const busy = await makeApp(app, 'Busy')
  const build = await start(busy.id)
  t.match((await remove(`/apps/${busy.id}`)).json(), { status: 409, code: 'app_busy' })
  await claim(busy.id)
  t.equal((await remove(`/apps/${busy.id}`)).statusCode, 409)
  await post(`/apps/${busy.id}/builds/${build.id}/cancel`)
  t.equal((await remove(`/apps/${busy.id}`)).statusCode, 204)
})

t.test('50 builds are kept, and the newest that succeeded', async (t) => {
  const { pruneBuilds } = await import('../../../db/deployments/builds.js')
  const old = await makeApp(app, 'Old')
  const ids: string[] = []
  for (let i = 0; i < 6; i++) {
    const { id } = await start(old.id, { commit: sha(String(i)) })
    await post(`/apps/${old.id}/builds/${id}/cancel`)
    ids.push(id)
  }
  await change(ids[0] as string, { status: 'succeeded' })
  await change(ids[1] as string, { status: 'succeeded' })
  await start(old.id)
  await pruneBuilds(app.db, workspace_id, old.id, 3, 1)
  const kept = (await json(`/apps/${old.id}/builds`)).items.map(({ number }: Row) => number)
  t.same(kept, [7, 6, 5, 2])
  const events = await app.db.selectFrom('stream_event').select('position')
    .where('stream_id', '=', String(ids[2])).execute()
  t.same(events, [])
})

t.test('bad inputs are refused with what is wrong, and nothing waits', async (t) => {
  const strict = await makeApp(app, 'Strict')
  const cases: [object, number, string, string?][] = [
    [{ ref: 'a b' }, 400, 'invalid_request', '/ref'],
    [{ ref: '../x' }, 400, 'invalid_request', '/ref'],
    [{ commit: 'HEAD' }, 400, 'invalid_request', '/commit'],
    [{ image: 'No Image' }, 400, 'invalid_request', '/image'],
    [{ image: `app:${'x'.repeat(129)}` }, 400, 'invalid_request', '/image'],
    [{ rollback_to: 'x' }, 400, 'invalid_request', '/rollback_to'],
    [{ rollback_to: missing, image: 'app:1' }, 400, 'invalid_request', '/image'],
    [{ force: 'yes' }, 400, 'invalid_request', '/force'],
    [{ surprise: 1 }, 400, 'unknown_field', '/surprise'],
    [{ rollback_to: missing }, 404, 'not_found']
  ]
  for (const [payload, status, code, pointer] of cases) {
    const answer = (await post(`/apps/${strict.id}/deploy`, payload)).json()
    t.match(answer, { status, code, ...(pointer && { errors: [{ pointer }] }) }, JSON.stringify(payload))
  }
  t.same((await json(`/apps/${strict.id}/builds`)).items, [])
  const noImage = await makeApp(app, 'No image', { image: null })
  t.match((await post(`/apps/${noImage.id}/deploy`)).json(), { status: 422, code: 'image_missing' })
  t.equal((await post(`/apps/${noImage.id}/deploy`, { image: 'app:1' })).statusCode, 202)
})

t.test('a build is found only under its own app; rights', async (t) => {
  const [mine, other] = [await makeApp(app, 'Mine'), await makeApp(app, 'Its neighbour')]
  const build = await start(mine.id)
  const unknown = problemOf(await get(`/apps/${mine.id}/builds/${missing}`))
  t.same(problemOf(await get(`/apps/${other.id}/builds/${build.id}`)), unknown)
  t.same(problemOf(await get(`/apps/${other.id}/builds/${build.id}/logs`)), unknown)
  t.same(problemOf(await post(`/apps/${other.id}/builds/${build.id}/cancel`)), unknown)
  t.equal((await post(`/apps/${other.id}/builds/${build.id}/rollback`)).statusCode, 404)
  const refused = await post(`/apps/${mine.id}/builds/${build.id}/rollback`)
  t.match(refused.json(), { status: 409, code: 'build_not_deployable' })
  const viewer = actor(app, (await makePerson(app, 'Vera', 'viewer')).headers)
  t.equal((await viewer.get(`/apps/${mine.id}/builds/${build.id}/logs`)).statusCode, 200)
  t.equal((await viewer.post(`/apps/${mine.id}/deploy`)).json().code, 'insufficient_role')
  t.equal((await viewer.post(`/apps/${mine.id}/builds/${build.id}/cancel`)).json().code, 'insufficient_role')
  const member = await makePerson(app, 'Max', 'member')
  const reader = actor(app, (await makeToken(app, member.headers, ['deployments:read'])).headers)
  t.equal((await reader.post(`/apps/${mine.id}/deploy`)).json().code, 'insufficient_scope')
  t.equal((await app.inject(`/deployments/apps/${mine.id}/builds`)).json().code, 'unauthenticated')
})
