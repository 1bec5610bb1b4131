import t from '../../tap.js'
import { asAdmin, workspace } from '../../app.js'
import { makeToken } from '../account/actors.js'
import { actor as codehostActor, steer } from '../codehost/actors.js'
import { actor, approve, makeContent, makeOpenProject, publisherOf } from './actors.js'

const app = await workspace(t, { WORKER: 'false' })
const { post, put, json } = actor(app)
const host = steer(app)
const repository = codehostActor(app)

const { work, newest } = publisherOf(app)
const move = (number: number, to: 'merged' | 'closed') =>
  host.call('PATCH', '/pulls', { login: 'octavia', repository: 'larkspur/web', number, to })
const textAt = async (path: string, ref: string) =>
  (await repository.json(`/repos/7001/contents?path=${encodeURIComponent(path)}&ref=${encodeURIComponent(ref)}`)).text

const target = { kind: 'git_pr', name: 'Docs', config: { repo_id: '7001', path_template: 'site/{channel}/{slug}.md' } }
const project = await makeOpenProject(app, 'Git', { publish_targets: [target] })

const makeReady = async (title: string) => {
  const { id } = await makeContent(app, project, { title })
  await approve(app, id)
  return { id, branch: `content/${title.toLowerCase()}-${id.slice(-8)}` }
}

t.test('a record becomes one pull request, and is live when that is merged', async (t) => {
  const { id, branch } = await makeReady('Merged')
  t.equal((await post(`/${id}/publish`)).statusCode, 202)
  await work(id)
  const waiting = await newest(id)
  t.match(waiting, { state: 'awaiting_merge', kind: 'git_pr', external: { url: /\/larkspur\/web\/pull\/\d+$/ } })
  t.match(await json(`/${id}`), { status: 'scheduled', published_version: null })
  t.match(await textAt('site/blog/merged.md', branch),
    /^---\ntitle: Merged\nslug: merged\n[^]*version: 1\n---\n\nReturning customers pay with one tap\./)
  await work(id)
  t.equal((await newest(id)).state, 'awaiting_merge', 'nobody has merged it')

  await move(waiting.external.pr_number, 'merged')
  await work(id)
  t.match(await newest(id), { state: 'succeeded', external: { pr_number: waiting.external.pr_number } })
  t.match(await json(`/${id}`), { status: 'published', published_version: 1 })
})

t.test('the next versions arrive though the branches of merged pull requests were kept', async (t) => {
  const { id, branch } = await makeReady('Kept')
  const publishNext = async (body_markdown?: string) => {
    if (body_markdown !== undefined) {
      await put(`/${id}`, { title: 'Kept', body_markdown })
      await approve(app, id)
    }
    await post(`/${id}/publish`)
    await work(id)
    return newest(id)
  }
  const first = await publishNext()
  await move(first.external.pr_number, 'merged')
  await work(id)
  t.type(await textAt('site/blog/kept.md', branch), 'string', 'the host kept the branch')

  const second = await publishNext('Pay with two taps.')
  t.match(second, { action: 'update', state: 'awaiting_merge', error: null, external: { branch: `${branch}-2` } })
  t.not(second.external.pr_number, first.external.pr_number)
  const third = await publishNext('Pay with three taps.')
  t.match(third.external, { pr_number: second.external.pr_number, branch: `${branch}-2` },
    'a version that comes before the merge goes into the open pull request')
  await move(third.external.pr_number, 'merged')
  await work(id)
  t.match(await newest(id), { state: 'succeeded' })
  t.match(await textAt('site/blog/kept.md', 'main'), /Pay with three taps\./)

  await host.call('POST', '/faults', { operation: 'createPull', kind: 'drop', times: 1, executed: true })
  await publishNext('Pay with four taps.')
  await work(id)
  const fourth = await newest(id)
  t.match(fourth, { state: 'awaiting_merge', external: { branch: `${branch}-3` } }, 'found after a lost answer')
  await move(fourth.external.pr_number, 'merged')
  await work(id)
  t.match(await textAt('site/blog/kept.md', 'main'), /Pay with four taps\./)
  t.match(await json(`/${id}`), { status: 'published', published_version: 4 })
})

t.test('a merged record is taken back by a pull request that removes its file', async (t) => {
  const { id } = await makeReady('Removed')
  await post(`/${id}/publish`)
  await work(id)
  await move((await newest(id)).external.pr_number, 'merged')
  await work(id)
  t.match(await textAt('site/blog/removed.md', 'main'), /^---\ntitle: Removed/)

  t.equal((await post(`/${id}/unpublish`)).statusCode, 202)
  await host.call('POST', '/faults', { operation: 'createPull', kind: 'drop', times: 1, executed: true })
  await work(id)
  await work(id)
  const waiting = await newest(id)
  t.match(waiting, { action: 'unpublish', state: 'awaiting_merge', external: { url: /\/pull\/\d+$/ } })
  const { items } = await repository.json('/repos/7001/pulls?state=open&limit=50')
  t.same((items as { title: string, number: number }[]).filter(({ title }) => title === 'Remove "Removed"')
    .map(({ number }) => number), [waiting.external.pr_number], 'one, though an answer was lost')
  t.match(await json(`/${id}`), { status: 'published' }, 'it is live until that is merged')

  await move(waiting.external.pr_number, 'merged')
  await work(id)
  t.match(await newest(id), { action: 'unpublish', state: 'succeeded' })
  t.match(await json(`/${id}`), { status: 'approved', published_version: null })
  t.equal(await textAt('site/blog/removed.md', 'main'), undefined, 'the file is gone')
})

t.test('what was removed in the repository already is taken back at once', async (t) => {
  const { id } = await makeReady('Gone')
  await post(`/${id}/publish`)
  await work(id)
  await move((await newest(id)).external.pr_number, 'merged')
  await work(id)
  const files = [{ path: 'site/blog/gone.md', content: null }]
  const removed = await repository.post('/repos/7001/pulls', { title: 'By hand', head: 'by-hand', files })
  t.equal(removed.statusCode, 201, removed.payload)
  await move(removed.json().pull.number, 'merged')
  t.equal(await textAt('site/blog/gone.md', 'main'), undefined)
  await post(`/${id}/unpublish`)
  await work(id)
  t.match(await newest(id), { action: 'unpublish', state: 'succeeded', external: null })
})

t.test('B22: what a token asked for is not opened once the token is revoked', async (t) => {
  const { id, branch } = await makeReady('Revoked')
  const scopes = ['content:read', 'content:write', 'codehost:read', 'codehost:write']
  const token = await makeToken(app, asAdmin, scopes)
  t.equal((await actor(app, token.headers).post(`/${id}/publish`)).statusCode, 202)
  await app.inject({ method: 'DELETE', url: `/account/tokens/${token.id}`, headers: asAdmin })
  await work(id)
  t.match(await newest(id), { state: 'failed', error: 'insufficient_role' })
  t.equal(await textAt('site/blog/revoked.md', branch), undefined, 'there is no such branch')
})

t.test('a pull request that is closed without a merge has failed', async (t) => {
  const { id } = await makeReady('Closed')
  await post(`/${id}/publish`)
  await work(id)
  await move((await newest(id)).external.pr_number, 'closed')
  await work(id)
  t.match(await newest(id), { state: 'failed', error: 'closed_without_merge' })
  t.match(await json(`/${id}`), { status: 'approved', published_version: null })
})

t.test('(12) after an answer that did not come, the pull request is found, and no second one is opened', async (t) => {
  const { id } = await makeReady('Lost')
  await host.call('POST', '/faults', { operation: 'createPull', kind: 'drop', times: 1, executed: true })
  await post(`/${id}/publish`)
  await work(id)
  await work(id)
  const { state, external } = await newest(id)
  t.equal(state, 'awaiting_merge')
  const { items } = await repository.json('/repos/7001/pulls?state=open&limit=50')
  const lost = (items as { title: string, number: number }[]).filter(({ title }) => /Lost/.test(title))
  t.same(lost.map(({ number }) => number), [external.pr_number])
})
