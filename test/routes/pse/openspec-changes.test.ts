import t from '../../tap.js'
import { workspace } from '../../app.js'
import { actor, generate, makeSession } from './actors.js'
import { makeProject, type File } from './openspec-project.js'

const app = await workspace(t)
const { get, post, json } = actor(app)

const fine = [{ valid: true, issues: [] }]
const filesOf = async (path: string, query = ''): Promise<File[]> =>
  (await json(`${path}/files?layout=openspec${query}`)).files

const frame = '# Summary\n\nLockers for parcels.\n\n# Problem\n\nLockers jam.\n\n' +
  '# Goals\n\n- Save time.\n\n# Non-goals\n\n- Paint.\n\n# Features\n\n'
const text = frame + ['When a code is right, the locker must open within 2 seconds.',
  'When a parcel is late, the locker must send a note.', 'When power fails, the locker must stay shut.',
  'When a door is forced, the locker must ring a bell.', 'When night falls, the locker must light its lamp.']
  .join('\n\n')

const criterion = (number: number) => ({ given: 'a locker', when: `it is test ${number}`, then: 'it passes' })
const replace = (target: string, value: object) => ({ op: 'replace', target, value })
const edit = async (path: string, version: number, ...ops: object[]): Promise<void> => {
  const answer = await post(`${path}/inputs`, { inputs: [{ kind: 'edit', base_version: version, ops }] })
  if (answer.statusCode !== 201) throw new Error(answer.payload)
}

/** @returns the requirements of a spec by name */
const blocksOf = (spec: string): Map<string, string> => new Map(spec.split(/^### Requirement: /m).slice(1)
  .map((block) => [block.slice(0, block.indexOf('\n')).trim(), block.slice(block.indexOf('\n')).trim()]))

const sectionOf = (spec: string, kind: string): string =>
  new RegExp(`^## ${kind} Requirements\\n([^]*?)(?=^## |$(?![^]))`, 'm').exec(spec)?.[1]?.trim() ?? ''

const idsOf = (spec: string, kind: string): (string | undefined)[] =>
  [...sectionOf(spec, kind).matchAll(/### Requirement: (\S+)/g)].map(([, id]) => id)

t.test('9: after an approved version the export lists what is modified, removed, renamed and added', async (t) => {
  const project = makeProject(t)
  const { path } = await makeSession(app, text)
  await generate(app, path)
  await edit(path, 1, replace('FR-005', { acceptance: [criterion(1), criterion(2)] }))
  const first = await post(`${path}/transitions`, { to: 'approved' })
  t.equal(first.statusCode, 200, first.payload)
  project.write(await filesOf(path))
  t.match(await project.archive('add-parcel-lockers'), /archived as/)
  t.match(await project.validate('parcel-lockers', 'spec'), fine, 'the main spec has a purpose of its own')
  await edit(path, 2,
    replace('FR-001', { statement: 'WHEN a code is right, THE SYSTEM SHALL open the locker within 1 second.' }),
    { op: 'retire', target: 'FR-002', value: 'Notes are sent by the depot.' },
    replace('FR-003', { title: 'Stays shut' }),
    replace('FR-004', { title: 'Rings loud', acceptance: [criterion(1)] }),
    replace('FR-005', { acceptance: [criterion(1)] }),
    { op: 'add', target: 'requirements', value: { statement: 'THE SYSTEM SHALL log every door.', title: 'Log # #' } })
  const files = await filesOf(path)
  t.same(files.map((file) => file.path), ['.openspec.yaml', 'proposal.md', 'tasks.md', 'specs/parcel-lockers/spec.md']
    .map((name) => `openspec/changes/update-parcel-lockers-since-2/${name}`))
  const spec = files.at(-1)?.content ?? ''
  t.same(idsOf(spec, 'ADDED'), ['FR-005', 'FR-006'])
  t.same(idsOf(spec, 'MODIFIED'), ['FR-001', 'FR-004'])
  t.same(idsOf(spec, 'REMOVED'), ['FR-005', 'FR-002'])
  t.same(idsOf(spec, 'RENAMED'), ['FR-003', 'FR-003', 'FR-004', 'FR-004'])
  t.match(sectionOf(spec, 'REMOVED'), /\*\*Reason\*\*: Notes are sent by the depot\./)
  t.notMatch(spec, /^## Purpose/m, 'the capability has one')
  project.write(files)
  t.match(await project.validate('update-parcel-lockers-since-2'), fine)
  t.match(await project.archive('update-parcel-lockers-since-2'), /archived as/)
  const main = blocksOf(project.read('openspec/specs/parcel-lockers/spec.md'))
  const whole = blocksOf((await filesOf(path, '&from=0')).at(-1)?.content ?? '')
  t.same([...main.keys()].map((name) => name.replace(' (restated)', '')).sort(), [...whole.keys()].sort())
  for (const [name, block] of main) t.equal(block, whole.get(name.replace(' (restated)', '')), name)
})

t.test('9: each change compares with the main spec that the changes before it made', async (t) => {
  const project = makeProject(t)
  const { path } = await makeSession(app, text)
  await generate(app, path)
  const approve = async () => {
    const answer = await post(`${path}/transitions`, { to: 'approved' })
    if (answer.statusCode !== 200) throw new Error(answer.payload)
    for (const file of await filesOf(path)) project.write([file])
    const [name = ''] = project.changes()
    t.match(await project.archive(name), /archived as/)
  }
  const two = [criterion(1), criterion(2)]
  const steps = [replace('FR-001', { acceptance: two }), replace('FR-001', { acceptance: [criterion(1)] }),
    replace('FR-001', { statement: 'WHEN a code is right, THE SYSTEM SHALL open the door within 3 seconds.' }),
    replace('FR-001', { acceptance: two }), replace('FR-001', { acceptance: [criterion(2)] }),
    replace('FR-001', { title: 'Opens' })]
  await approve()
  for (const [at, step] of steps.entries()) {
    await edit(path, at + 1, step)
    await approve()
  }
  const main = blocksOf(project.read('openspec/specs/parcel-lockers/spec.md'))
  t.same([...main.keys()].map((name) => name.slice(0, 6)).sort(), ['FR-001', 'FR-002', 'FR-003', 'FR-004', 'FR-005'])
  const whole = blocksOf((await filesOf(path, '&from=0')).at(-1)?.content ?? '')
  t.equal(main.get('FR-001 Opens'), whole.get('FR-001 Opens'))
})

t.test('9: flags mark a change without deltas and one that removes the last requirement', async (t) => {
  const project = makeProject(t)
  const { path } = await makeSession(app, 'When a code is right, the locker must open.')
  await generate(app, path)
  project.write(await filesOf(path))
  await project.archive('add-parcel-lockers')
  await edit(path, 1, { op: 'replace', target: 'sections.summary', value: 'Doors.' })
  const same = await filesOf(path, '&from=1')
  t.same(same.map((file) => file.path), ['.openspec.yaml', 'proposal.md'].map((name) =>
    `openspec/changes/update-parcel-lockers-since-1/${name}`))
  project.write(same)
  t.match(await project.validate('update-parcel-lockers-since-1'), [{ valid: true }])
  await project.archive('update-parcel-lockers-since-1')
  await edit(path, 2, { op: 'retire', target: 'FR-001', value: 'There are no doors.' })
  project.write(await filesOf(path, '&from=2'))
  t.match(await project.validate('update-parcel-lockers-since-2'), fine)
  t.match(await project.archive('update-parcel-lockers-since-2'), /archived as/)
})

t.test('the parameter from is only for OpenSpec, and must name a version', async (t) => {
  const { path } = await makeSession(app, text)
  await generate(app, path)
  t.match((await get(`${path}/export?layout=kiro&from=1`)).json(),
    { status: 400, code: 'invalid_request', errors: [{ pointer: '/from' }] })
  t.match((await get(`${path}/export?layout=openspec&from=7`)).json(), { status: 404, code: 'not_found' })
})
