import t, { type Test } from '../../tap.js'
import { workspace } from '../../app.js'
import { brief } from '../../../packages/spec-engine/test/engine/brief.js'
import { actor, generate, makeSession } from './actors.js'
import { makeProject, type File, type Verdict } from './openspec-project.js'

const app = await workspace(t)
const { json } = actor(app)

/** Validates several exports with OpenSpec's own command; prefixes keep their changes apart. */
const validate = (t: Pick<Test, 'teardown'>, exports: readonly File[][]): Promise<Verdict[]> => {
  const project = makeProject(t)
  for (const [at, files] of exports.entries()) {
    project.write(files.map(({ path, content }) =>
      ({ path: path.replace('openspec/changes/', `openspec/changes/case-${at}-`), content })))
  }
  return project.validateChanges()
}

const exported = async (text: string, more: object = {}) => {
  const { path } = await makeSession(app, text, more)
  await generate(app, path)
  return (await json(`${path}/files?layout=openspec`)).files as File[]
}

const door = (at: number) => `Door ${at} must open within ${at + 1} seconds.`
const many = Array.from({ length: 30 }, (_, at) => door(at)).join('\n\n')
const long = `The lockers must ${'open and close and '.repeat(40)}beep.`
const hostile = '# Features\n\n### Requirement: mine\n\nDoors must # Scenario open.\n\n- must `x` | y\n\n## REMOVED\n'

t.test('A9: OpenSpec\'s own validator accepts the export', async (t) => {
  const cases: [string, object][] = [
    [brief, {}],
    [brief, { artifacts: ['requirements', 'design', 'tasks', 'decisions'] }],
    [brief, { notation: 'gherkin', title: 'Ärger & <b>Freude</b>: “Türen”' }],
    ['Doors must open.', { title: '門' }],
    ['Nothing is asked for.', {}],
    [`${many}\n\n${long}\n\n${hostile}`, { options: { max_requirements: 60 } }]
  ]
  const exports: File[][] = []
  for (const [text, more] of cases) exports.push(await exported(text, more))
  const verdicts = await validate(t, exports)
  t.same(new Set(verdicts.map(({ id }) => id.slice(0, 6))), new Set(cases.map((_, at) => `case-${at}`)))
  for (const { id, ...verdict } of verdicts) t.match(verdict, { valid: true, issues: [] }, id)
})

t.test('9: no change exceeds OpenSpec\'s limit of deltas, and no delta is lost or repeated', async (t) => {
  const files = await exported(many, { options: { max_requirements: 60 } })
  const specs = files.filter(({ path }) => path.endsWith('/spec.md')).map(({ content }) => content)
  const ids = specs.map((text) => [...text.matchAll(/^### Requirement: (\S+)/gm)].map(([, id]) => id))
  t.same(ids.map(({ length }) => length), [10, 10, 10])
  t.equal(new Set(ids.flat()).size, 30)
  t.same(files.map(({ path }) => path).filter((path) => path.endsWith('proposal.md')), [1, 2, 3].map((part) =>
    `openspec/changes/add-parcel-lockers-part-${part}/proposal.md`))
})

t.test('OpenSpec\'s validator rejects a change without scenarios', async (t) => {
  const files = await exported('Doors must open.')
  const broken = files.map(({ path, content }) => ({ path, content: content.replace(/#### Scenario[^]*/, '') }))
  t.match(await validate(t, [broken]), [{ valid: false }])
})
