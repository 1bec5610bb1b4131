import t from '../../tap.js'
import { touches, takePush } from '../../../routes/deployments/lib/apps/take-push.js'
import { buildApp } from '../../app.js'
import { actor, makeApp, sha } from './actors.js'

t.test('a push concerns an app whose paths it touches', async (t) => {
  t.ok(touches([], ['a']))
  t.ok(touches(['web'], null))
  t.ok(touches(['web/**'], ['web/deep/x.ts']))
  t.ok(touches(['web'], ['web/deep/x.ts']))
  t.ok(touches(['web/'], ['web/x.ts']))
  t.ok(touches(['**/x.ts'], ['web/deep/x.ts']))
  t.ok(touches(['*/😀.ts'], ['web/😀.ts']))
  t.notOk(touches(['web/*.ts'], ['web/deep/x.ts']))
  t.notOk(touches(['web'], ['website/x.ts']))
  t.notOk(touches(['a.b'], ['axb']))
})

/** The definition of a glob, which takes exponential time. */
const toPattern = (glob: string): RegExp => {
  const body = glob.replace(/\./g, '\\.').replace(/\*\*\/?|\*/g, (stars) => stars === '*' ? '[^/]*' : '.*')
  return new RegExp(`^${body}${glob.endsWith('/') ? '.*' : '(/.*)?'}$`)
}

/** @returns all texts of up to so many of the parts */
const combine = (parts: string[], most: number): string[] =>
  most === 0 ? [''] : [...combine(parts, most - 1).flatMap((text) => ['', ...parts].map((part) => text + part))]

t.test('small globs match what the expression that defines them matches', async (t) => {
  const globs = new Set(combine(['a', '/', '*', '**', '.'], 4))
  const files = [...new Set(combine(['a', '/', '.', 'b'], 4))]
  const differing = [...globs].filter((glob) => glob !== '' && !glob.includes('***')).flatMap((glob) => {
    const pattern = toPattern(glob)
    return files.filter((file) => pattern.test(file) !== touches([glob], [file])).map((file) => [glob, file])
  })
  t.same(differing, [])
})

const hostile = '**a'.repeat(24)

t.test('S5: a hostile glob costs at most its length times that of the names, and then counts as touched', async (t) => {
  t.notOk(touches([hostile], [`${'a'.repeat(48)}b`]), 'answered, which the expression does not do in a lifetime')
  const files = Array.from({ length: 1_000 }, () => `${'a'.repeat(400)}b`)
  t.notOk(touches([hostile], files.slice(0, 1)))
  t.ok(touches(Array.from({ length: 50 }, () => hostile), files), 'beyond the steps there are')
})

t.test('S5: no app is given a glob with more wildcards than one has use for', async (t) => {
  const app = await buildApp(t, { WORKER: 'false' })
  const { patch, json } = actor(app)
  const source = { repo: 'larkspur/globs' }
  const made = await makeApp(app, 'Globs', { source, auto_deploy: { enabled: true, branch: 'main', paths: ['*/'] } })
  const refused = await patch(`/apps/${made.id}`, { auto_deploy: { enabled: true, branch: 'main', paths: [hostile] } })
  t.match(refused.json(), { status: 400, code: 'invalid_request', errors: [{ pointer: '/auto_deploy/paths/0' }] })
  // One that was stored before there was a limit.
  await app.db.updateTable('deployment_app')
    .set({ auto_deploy: JSON.stringify({ enabled: true, branch: 'main', paths: [hostile] }) })
    .where('id', '=', String(made.id)).execute()
  const push = {
    workspace_id: app.home.workspace_id, repo: 'larkspur/globs', branch: 'main', commit: sha('1'), message: null
  }
  await takePush(app, { ...push, paths: ['b'.repeat(200), `${'a'.repeat(48)}b`] })
  t.same((await json(`/apps/${made.id}/builds`)).items, [], 'not touched')
  await takePush(app, { ...push, paths: ['a'.repeat(48)] })
  t.equal((await json(`/apps/${made.id}/builds`)).items.length, 1, 'touched')
})
