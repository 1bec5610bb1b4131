import t from '../../tap.js'
import { namedInBranch } from '../../../packages/spec-engine/src/trace/names.js'
import { withoutRevertedPulls } from '../../../packages/spec-engine/src/trace/reverts.js'
import type { PullRequest } from '../../../schemas/codehost/pulls.js'
import { asAdmin } from '../../app.js'
import { openChat } from '../../chat.js'
import { makePerson } from '../account/actors.js'
import { steer } from '../codehost/actors.js'
import { keepRolling, makeApp, registry, actor as deploymentsActor, until } from '../deployments/actors.js'
import { actor, addTasks, generate, makeSession, missing } from './actors.js'

const { app } = await openChat(t)
const { get, json, post } = actor(app)
const sandbox = steer(app)
const deployments = deploymentsActor(app)
const repository = 'larkspur/web'

const text = '# Features\n\nA door must open within 2 seconds.\n\nA door must ring when it jams.\n\n' +
  'A code must expire after 3 days.\n\nA locker must be locked at night.\n'

t.test('a requirement shows the pull requests, checks, commits and deployments that name its id', async (t) => {
  const { id, path } = await makeSession(app, text, { artifacts: ['requirements', 'tasks'] })
  const { document } = await addTasks(app, path, (await generate(app, path)).spec)
  const [open, ring, expire, night] = document.requirements.map((item: { id: string }) => item.id)
  const proposed = await sandbox.commit({ repository, branch: 'ring', from: 'main', message: 'Ring a bell' })
  const { number } = await sandbox.call('POST', '/pulls',
    { repository, title: `Ring the bell (${ring})`, head: 'ring', body: `Not ${open} of lifts/${expire}` })
  await sandbox.call('POST', '/checks',
    { repository, sha: proposed, name: 'ci', status: 'completed', conclusion: 'failure' })
  const done = await sandbox.commit({ repository, message: `Open doors\n\nCloses parcel-lockers/${open}` })
  const tip = await sandbox.commit({ repository, message: `Expire codes (${expire}), not lifts/${night}` })
  const shop = await makeApp(app, 'Shop')
  const stop = keepRolling(t, app)
  await deployments.post(`/apps/${shop.id}/deploy`, { commit: done, image: `${registry}/web:3-ok` })
  await until(() => deployments.json(`/apps/${shop.id}`), ({ live_build: live }) => live !== null, 60_000)
  await stop()
  const traced = await json(`${path}/trace?repo_id=7001`)
  t.match(traced, { session_id: id, version: 2, repositories: [{ repo_id: '7001', complete: true }] })
  t.ok(traced.repositories[0].commits >= 2)
  const seen = new Map(traced.requirements.map((item: { id: string }) => [item.id, item]))
  const { task_ids: tasks, ...rest } = seen.get(ring) as Record<string, unknown> & { task_ids: string[] }
  t.same(tasks, ['T002'])
  const requirement = document.requirements.find((item: { id: string }) => item.id === ring)
  t.match(rest, {
    status: 'active',
    statement: requirement.statement,
    citations: requirement.citations,
    pulls: [{
      repo_id: '7001',
      number,
      state: 'open',
      named_in: 'title',
      merged_at: null,
      merge_commit_sha: null,
      checks: { state: 'failure', failed: 1 }
    }],
    commits: [],
    deployments: [],
    progress: 'proposed'
  })
  t.match(seen.get(open), {
    pulls: [{ number, named_in: 'text' }],
    commits: [{ sha: done, headline: 'Open doors' }],
    deployments: [{ app_id: shop.id, app: 'Shop', build_number: 1, commit: done }],
    progress: 'deployed'
  })
  t.match(seen.get(expire), { pulls: [], commits: [{ sha: tip }], deployments: [], progress: 'merged' },
    'the commit is newer than what runs')
  t.match(seen.get(night), { pulls: [], commits: [], deployments: [], progress: 'none' },
    'an id with the name of another spec is not this one')
})

t.test('a merged pull request leads to its commit; one merged into another branch is not yet merged', async (t) => {
  const { path } = await makeSession(app, `${text}\nA ramp must tilt.\n`, { title: 'Ramps' })
  const { spec: { document } } = await generate(app, path)
  const [,,, lock, tilt] = document.requirements.map((item: { id: string }) => item.id)
  const merge = async (branch: string, base: string, id: string) => {
    await sandbox.commit({ repository, branch, from: base, message: `Work on ${branch}` })
    const pull = { repository, head: branch, base, title: `Work on ${branch}`, body: `For ramps/${id}` }
    const { number } = await sandbox.call('POST', '/pulls', pull)
    await sandbox.call('PATCH', '/pulls', { repository, number, to: 'merged' })
    return number
  }
  await merge('locking', 'main', lock)
  const { items: [tip] } = (await app.inject({ url: '/codehost/repos/7001/commits?limit=1', headers: asAdmin })).json()
  await sandbox.commit({ repository, branch: 'next', from: 'main', message: 'Begin the next release' })
  const number = await merge('tilting', 'next', tilt)
  const app2 = await makeApp(app, 'Ramps')
  const stop = keepRolling(t, app)
  await deployments.post(`/apps/${app2.id}/deploy`, { commit: tip.sha, image: `${registry}/web:3-ok` })
  await until(() => deployments.json(`/apps/${app2.id}`), ({ live_build: live }) => live !== null, 60_000)
  await stop()
  const { requirements } = await json(`${path}/trace?repo_id=7001`)
  t.match(requirements.slice(3), [
    { commits: [{ sha: tip.sha }], deployments: [{ app: 'Ramps', commit: tip.sha }], progress: 'deployed' },
    { pulls: [{ number, state: 'merged' }], commits: [], deployments: [], progress: 'proposed' }
  ])
})

t.test('a branch in small letters, and what closes the issue of a task, lead to the requirement', async (t) => {
  const { path } = await makeSession(app, text, { artifacts: ['requirements', 'tasks'] })
  const { document } = await addTasks(app, path, (await generate(app, path)).spec)
  const [open, ring, expire] = document.requirements.map((item: { id: string }) => item.id)
  const { issues } = (await post(`${path}/issues`, { repo_id: '7001' })).json()
  const issueOf = (id: string): number => {
    const task = document.tasks.find(({ requirement_ids: ids }: { requirement_ids: string[] }) => ids.includes(id))
    return issues.find((one: { task_id: string }) => one.task_id === task.id).number
  }
  const branch = `${String(open).toLowerCase()}-quick-doors`
  await sandbox.commit({ repository, branch, from: 'main', message: 'Turn the motor faster' })
  const named = await sandbox.call('POST', '/pulls', { repository, title: 'Faster motor', head: branch, body: '' })
  await sandbox.commit({ repository, branch: 'bell', from: 'main', message: 'Solder the bell' })
  const closes = await sandbox.call('POST', '/pulls',
    { repository, title: 'Bell', head: 'bell', body: `Fixes #${issueOf(ring)}` })
  const sha = await sandbox.commit({ repository, message: `Let codes expire\n\nCloses #${issueOf(expire)}` })
  const { requirements } = await json(`${path}/trace`)
  const seen = (id: string) => requirements.find((item: { id: string }) => item.id === id)
  t.match(seen(open).pulls.filter((pull: { number: number }) => pull.number === named.number), [{ named_in: 'branch' }])
  t.match(seen(ring).pulls.filter((pull: { number: number }) => pull.number === closes.number), [{ named_in: 'text' }])
  t.ok(seen(expire).commits.some((commit: { sha: string }) => commit.sha === sha))
  t.notOk(seen(open).commits.some((commit: { sha: string }) => commit.sha === sha), 'an issue leads to its own only')
})

t.test('what was reverted, and an id of another project or a longer id, lead to no requirement', async (t) => {
  const features = '# Features\n\nA hatch must beep.\n\nA hatch must blink.\n\nA hatch must fold.\n'
  const { path } = await makeSession(app, features, { title: 'Hatches' })
  const { spec: { document } } = await generate(app, path)
  const [beep, blink, fold] = document.requirements.map((item: { id: string }) => item.id)
  const commit = (message: string) => sandbox.commit({ repository, message })
  const undone = await commit(`Beep (hatches/${beep})`)
  await commit(`Revert "Beep (hatches/${beep})"\n\nThis reverts commit ${undone}.`)
  const back = await commit(`Blink (hatches/${blink})`)
  const revert = await commit(`Revert "Blink (hatches/${blink})"\n\nThis reverts commit ${back}.`)
  await commit(`Revert "Revert "Blink (hatches/${blink})""\n\nThis reverts commit ${revert}.`)
  const foreign = await commit(`Fold: LIFTS/${fold}, acme/Gates:${fold}, X${fold}, ${fold}0, ${fold}.2 and ${fold}-02`)
  const { requirements } = await json(`${path}/trace?repo_id=7001`)
  const shasOf = (id: string): string[] => requirements.find((item: { id: string }) => item.id === id)
    .commits.map(({ sha }: { sha: string }) => sha)
  t.notOk(shasOf(beep).includes(undone), 'a reverted commit')
  t.ok(shasOf(blink).includes(back), 'the revert was reverted')
  t.notOk(shasOf(blink).includes(revert), 'a revert')
  t.notOk(shasOf(fold).includes(foreign), 'ids of others')
})

t.test('squashed reverts name a pull request, and its commit is gone until the revert is', async (t) => {
  const { path } = await makeSession(app, '# Features\n\nA gate must rise.\n\nA gate must sink.\n', { title: 'Gates' })
  const { spec: { document } } = await generate(app, path)
  const [rise, sink] = document.requirements.map((item: { id: string }) => item.id)
  const commit = (message: string) => sandbox.commit({ repository, message })
  const undone = await commit(`Rise (gates/${rise}) (#901)`)
  await commit('Revert "Rise" (#902)\n\nReverts acme/gates#901')
  const back = await commit(`Sink (gates/${sink}) (#903)`)
  await commit('Revert "Sink" (#904)\n\nReverts acme/gates#903')
  await commit('Revert "Revert "Sink"" (#905)\n\nReverts acme/gates#904')
  const both = await commit(`${rise}/${sink}: paint both`)
  const { requirements } = await json(`${path}/trace?repo_id=7001`)
  const shasOf = (id: string): string[] => requirements.find((item: { id: string }) => item.id === id)
    .commits.map(({ sha }: { sha: string }) => sha)
  t.same([shasOf(rise).includes(undone), shasOf(sink).includes(back)], [false, true])
  t.same([shasOf(rise).includes(both), shasOf(sink).includes(both)], [true, true], 'ids with a slash between them')
  t.same([...namedInBranch('feature/FR-001_doors', 'Gates')], ['FR-001'])
})

t.test('a revert of a merge takes back what the merge brought in, until it is reverted itself', async (t) => {
  const { path } = await makeSession(app, '# Features\n\nA port must swing.\n', { title: 'Ports' })
  const { spec: { document } } = await generate(app, path)
  const id: string = document.requirements[0].id
  const kept = await sandbox.commit({ repository, message: `Hinges (ports/${id})` })
  const inner = await sandbox.commit({ repository, branch: 'swing', from: 'main', message: `Swing (ports/${id})` })
  const { number } = await sandbox.call('POST', '/pulls', { repository, head: 'swing', title: `Swing, ports/${id}` })
  await sandbox.call('PATCH', '/pulls', { repository, number, to: 'merged' })
  const read = async () => {
    const { requirements: [{ commits, pulls }] } = await json(`${path}/trace?repo_id=7001`)
    const shas = commits.map(({ sha }: { sha: string }) => sha)
    return [shas.includes(kept), shas.includes(inner), pulls.some((pull: { number: number }) => pull.number === number)]
  }
  t.same(await read(), [true, true, true])
  const { items } = (await app.inject({ url: '/codehost/repos/7001/commits?limit=1', headers: asAdmin })).json()
  const revert = await sandbox.commit({
    repository,
    message: `Revert "Merge pull request #${number}"\n\nThis reverts commit ${items[0].sha}, reversing\n` +
      `changes made to ${kept}.`
  })
  t.same(await read(), [true, false, false])
  await sandbox.commit({ repository, message: `Revert "Revert"\n\nThis reverts commit ${revert}.` })
  t.same(await read(), [true, true, true])
})

t.test('a pull request that a merged one reverts shows nothing as done', async (t) => {
  const pull = (number: number, title: string, state: string, body: string | null = null) =>
    // What the rule reads of one.
    ({ number, title, state, body_excerpt: body }) as PullRequest
  const numbers = (pulls: PullRequest[]) => withoutRevertedPulls(pulls).map(({ number }) => number)
  t.same(numbers([pull(1, 'Beep', 'merged'), pull(2, 'Revert "Beep"', 'merged', 'Reverts acme/hatches#1')]), [])
  t.same(numbers([pull(1, 'Beep', 'merged'), pull(2, 'Revert "Beep"', 'closed', 'Reverts acme/hatches#1')]), [1])
  t.same(numbers([pull(1, 'Beep', 'merged'), pull(2, 'Revert "Beep"', 'merged', 'Reverts acme/hatches#1'),
    pull(3, 'Revert "Revert "Beep""', 'merged', 'Reverts acme/hatches#2')]), [1])
})

t.test('the repositories of the inputs are looked at; without one nothing is claimed', async (t) => {
  const none = await makeSession(app, text)
  t.match((await get(`${none.path}/trace`)).json(), { status: 409, code: 'no_version' })
  await generate(app, none.path)
  const traced = await json(`${none.path}/trace`)
  t.same([traced.repositories, new Set(traced.requirements.map((item: { progress: string }) => item.progress))],
    [[], new Set(['none'])])
  const some = await makeSession(app, text, { inputs: [{ kind: 'repo_issue', repo_id: '7001', number: 6 }] })
  await generate(app, some.path)
  t.match(await json(`${some.path}/trace`), { repositories: [{ repo_id: '7001' }] })
})

t.test('unknown sessions, versions and repositories are not found, and who is not connected reads so', async (t) => {
  const { path } = await makeSession(app, text)
  await generate(app, path)
  t.equal((await get(`/sessions/${missing}/trace`)).statusCode, 404)
  t.equal((await get(`${path}/trace?version=9`)).statusCode, 404)
  t.match((await get(`${path}/trace?repo_id=999999`)).json(), { status: 404, code: 'repo_not_found' })
  const other = actor(app, (await makePerson(app, 'Vera', 'member')).headers)
  t.match((await other.get(`${path}/trace?repo_id=7001`)).json(), { status: 409, code: 'codehost_not_connected' })
})
