import t from '../../tap.js'
import { claimBuild } from '../../../db/deployments/leases.js'
import { BuildState } from '../../../routes/deployments/lib/builds/build-state.js'
import { findSource } from '../../../routes/deployments/lib/builds/run-build.js'
import { makePerson, makeToken } from '../account/actors.js'
import { asAdmin, buildApp } from '../../app.js'
import { renewToken, steer } from '../codehost/actors.js'
import { actor, claimant, runnerOf, madeUp, makeApp, registry, sha } from './actors.js'

const app = await buildApp(t, { WORKER: 'false' })
const codehost = steer(app)
const { json } = actor(app)
const head = '79987598baab81b5d5557c4a2df52597c942eb7c'
let count = 0

/** Starts a build of a new app and carries its first step out. @returns how they ended, and the record */
const begin = async (payload: object = {}, more: object = {}, headers: Record<string, string> = asAdmin) => {
  const shop = await makeApp(app, `Commit ${++count}`, more)
  const { id } = (await actor(app, headers).post(`/apps/${shop.id}/deploy`, payload)).json()
  const key = { workspace_id: app.home.workspace_id, app_id: shop.id }
  const row = await claimBuild(app.db, key, claimant(runnerOf(app).instance))
  if (!row) throw new Error('not claimed')
  const state = new BuildState(app, row)
  const context = { deps: app, state, signal: state.abort.signal, log: (text: string) => state.log('checkout', text) }
  const ended = await findSource(context).catch((error: Error) => error.message)
  const path = `/apps/${shop.id}/builds/${id}`
  const lines = (await json(`${path}/logs`)).items.map(({ text }: { text: string }) => text).join('\n')
  return { ended, build: await json(path), lines }
}

const of = (repo: string) => ({ source: { repo, default_branch: 'main', path: '' } })

t.test('a branch, a tag or a short hash is found at the code host, and the record says the commit', async (t) => {
  const main = await begin()
  t.equal(main.ended, 'succeeded')
  t.match(main.build, {
    ref: 'main', commit: head, commit_message: 'Fix memory use of the search page', image: `${registry}/web:${head}`
  })
  t.match(main.lines, new RegExp(`main is commit ${head}`))
  t.match((await begin({ ref: 'feature/stock' })).build, { ref: 'feature/stock', commit: /^1b623186/ })
  t.match((await begin({ commit: head.slice(0, 7) })).build, { ref: head.slice(0, 7), commit: head })
  t.match((await begin({ commit: sha('a') })).build, { commit: sha('a') }, 'a whole hash is looked up too')
})

t.test('a repository by its id keeps its builds when it is renamed', async (t) => {
  await codehost.call('PATCH', '/repositories', { repository: 'larkspur/api', name: 'orders' })
  t.match((await begin({}, of('7002'))).build, { commit: /^[0-9a-f]{40}$/, commit_message: 'Answer refunds' })
  const old = await begin({}, of('larkspur/api'))
  t.match(old.ended, /larkspur\/api: there is none/, 'its old name may belong to another')
  t.match((await begin({}, of('larkspur/orders'))).build, { commit_message: 'Answer refunds' })
})

t.test('what is not there is not deployed', async (t) => {
  const unknown = new RegExp(`larkspur/web has no .*commit ${madeUp('a')}`)
  t.match((await begin({ commit: madeUp('a') })).ended, unknown, 'a commit that nobody has made')
  t.match((await begin({ commit: madeUp('a'), image: `${registry}/web:1` })).ended, unknown, 'beside an image')
  t.match((await begin({ ref: 'mian' })).ended, 'larkspur/web has no branch, tag or commit mian')
  t.match((await begin({ ref: 'mian', image: `${registry}/web:1` })).ended, /no branch/)
})

t.test('who may not see the repository learns no commit; who has no code host builds by refs', async (t) => {
  t.match((await begin({}, of('mallory/secret'))).ended, /has no answer for the repository mallory\/secret/)
  t.match((await begin({}, of('7004'))).ended, /repo_not_found/)
  const byRef = await begin({}, { ...of('mallory/secret'), image: `${registry}/web:{ref}` })
  t.same([byRef.ended, byRef.build.commit, byRef.build.image], ['skipped', null, `${registry}/web:main`])
  const { headers } = await makePerson(app, 'Nell', 'member')
  const nell = await begin({}, {}, headers)
  t.same([nell.ended, nell.build.image], ['skipped', `${registry}/web:main`])
  t.match(nell.lines, /codehost_not_connected/)
  const asked = await begin({ commit: madeUp('b') }, {}, headers)
  t.same([asked.build.commit, asked.build.ref, asked.build.image],
    [null, madeUp('b'), `${registry}/web:${madeUp('b')}`], 'nothing says that this is a commit')
  const narrow = await makeToken(app, asAdmin, ['deployments:write', 'deployments:read', 'infrastructure:write'])
  t.match((await begin({}, {}, narrow.headers)).lines, /insufficient_scope/)
})

t.test('while the code host is limited or fails, nothing is guessed: another image would run', async (t) => {
  await renewToken(app, 'octavia')
  await codehost.fault({ kind: 'secondary_limit' })
  t.match((await begin()).ended, /has no answer for the repository larkspur\/web: codehost_rate_limited/)
  const named = await begin({ image: `${registry}/web:7` })
  t.same([named.ended, named.build.image], ['skipped', `${registry}/web:7`], 'an image that is named needs no commit')
  await renewToken(app, 'octavia')
  await begin()
  await codehost.fault({ kind: 'secondary_limit', operation: 'listCommits' })
  t.match((await begin()).ended, /codehost_rate_limited/, 'nor is stale data used')
  await renewToken(app, 'octavia')
  await codehost.fault({ kind: 'cut', operation: 'listCommits' })
  t.match((await begin()).ended, /has no answer for the commit of main: codehost_bad_response/)
})
