import t from '../../tap.js'
import { openChat } from '../../chat.js'
import { actor as codehostActor } from '../codehost/actors.js'
import { actor, addTasks, generate, makeSession } from './actors.js'
import { makeProject, type File } from './openspec-project.js'

const { app } = await openChat(t)
const { json, post } = actor(app)
const codehost = codehostActor(app)

const text = '# Lockers\n\n## Doors\n\nREQ-1: A door must open within 2 seconds.\n\n' +
  'REQ-2: A door must ring when REQ-1 fails.\n\n## Codes\n\nA code must expire after 3 days.\n'
const artifacts = ['requirements', 'tasks']
const filesOf = async (path: string, layout: string): Promise<File[]> =>
  (await json(`${path}/files?layout=${layout}`)).files
const textOf = (files: File[], end: string) => files.find(({ path }) => path.endsWith(end))?.content ?? ''

t.test('without a model nobody has planned: no task is made up', async (t) => {
  const { path } = await makeSession(app, text, { artifacts })
  t.same((await generate(app, path)).spec.document.tasks, [])
})

t.test('exports list the tasks by section with their dependencies', async (t) => {
  const { path, id } = await makeSession(app, text, { artifacts })
  await addTasks(app, path, (await generate(app, path)).spec)
  const kit = textOf(await filesOf(path, 'spec-kit'), 'tasks.md')
  t.match(kit, /## Phase 1: Doors\n\n- \[ \] T001 \[P\] Implement .*\n- \[ \] T002 Implement .* \(depends on T001\)\n/)
  const kiro = await filesOf(path, 'kiro')
  t.match(textOf(kiro, 'tasks.md'),
    /- \[ \] 1\. Doors\n {2}- \[ \] 1\.1 Implement .*\n {4}- _Requirements: 1\.1_\n/)
  t.match(textOf(kiro, 'tasks.md'), / {2}- \[ \] 1\.2 Implement .*\n {4}- After 1\.1\n/)
  t.match(JSON.parse(textOf(kiro, '.config.kiro')), { specId: id }, 'two specs of one title have two ids')
  const openspec = textOf(await filesOf(path, 'openspec'), 'tasks.md')
  t.match(openspec, /## 1\. Doors\n\n- \[ \] 1\.1 .*\n- \[ \] 1\.2 .* \(after 1\.1\)\n/)
})

t.test('citations in an export name the input and the section, and no id of ours', async (t) => {
  const { path } = await makeSession(app, text)
  await generate(app, path)
  const markdown = textOf(await filesOf(path, 'markdown'), '.md')
  t.match(markdown, '> A code must expire after 3 days. (Brief › Lockers › Codes)')
  t.notMatch(markdown, /[0-9a-f]{8}-[0-9a-f]{4}-7/)
})

t.test('an OpenSpec change keeps long requirements and reasons whole, and OpenSpec accepts it', async (t) => {
  const long = `The lockers must ${'open and close and '.repeat(60)}beep.`
  const problem = `Lockers jam ${'again and again '.repeat(90)}at night.`
  const { path } = await makeSession(app, `# Problem\n\n${problem}\n\n# Features\n\n${long}\n`)
  await generate(app, path)
  const files = await filesOf(path, 'openspec')
  const project = makeProject(t)
  project.write(files)
  t.match(await project.validateChanges(), [{ valid: true, issues: [] }])
  t.match(textOf(files, '/spec.md'), `${'open and close and '.repeat(60)}beep.`)
  const [, why = '', more = ''] = /## Why\n\n(.*)\n\n## Background\n\n(.*)\n/.exec(textOf(files, 'proposal.md')) ?? []
  t.equal(`${why} ${more}`, problem)
  t.ok(why.length <= 1_000)
  await project.archive(project.changes()[0] ?? '')
  t.match(project.read('openspec/specs/parcel-lockers/spec.md'), 'and beep.')
})

t.test('a feature of spec-kit has the next number of the repository, and keeps it', async (t) => {
  const put = await codehost.post('/repos/7001/pulls', {
    title: 'Other features',
    head: 'features',
    files: [{ path: 'specs/004-other/spec.md', content: '# Other\n' },
      { path: 'specs/002-old/spec.md', content: '# Old\n' }]
  })
  t.equal(put.statusCode, 201, put.payload)
  const { path } = await makeSession(app, text)
  await generate(app, path)
  const open = async (more: object) =>
    (await post(`${path}/pull-request`, { repo_id: '7001', layout: 'spec-kit', ...more })).json()
  t.same((await open({ base: 'features' })).paths[0], 'specs/005-parcel-lockers/spec.md')
  t.match(await open({ base: 'features' }), { outcome: 'unchanged' })
  t.same((await open({ base: 'main', head: 'own' })).paths[0], 'specs/001-parcel-lockers/spec.md')
  t.same((await open({ base: 'main', head: 'told', feature_number: 12 })).paths[0],
    'specs/012-parcel-lockers/spec.md')
})
