import { strFromU8, unzipSync } from 'fflate'
import t from 'tap'
import { buildApp } from '../../app.js'
import { brief } from './lib/engine/brief.js'
import { actor, generate, makeSession, missing } from './actors.js'

const app = await buildApp(t)
const { get, json } = actor(app)

t.test('the layouts of other tools are folders, zipped to the same bytes each time', async (t) => {
  const { path } = await makeSession(app, brief)
  t.match((await get(`${path}/export`)).json(), { status: 409, code: 'no_version' })
  await generate(app, path)
  const folders: [string, string[]][] = [
    ['spec-kit', ['specs/001-parcel-lockers/spec.md', 'specs/001-parcel-lockers/checklists/requirements.md']],
    ['kiro', ['.kiro/specs/parcel-lockers/.config.kiro', '.kiro/specs/parcel-lockers/requirements.md']],
    ['openspec', ['part-1', 'part-2'].flatMap((part) =>
      ['.openspec.yaml', 'proposal.md', 'tasks.md', 'specs/parcel-lockers/spec.md']
        .map((name) => `openspec/changes/add-parcel-lockers-${part}/${name}`))]
  ]
  for (const [layout, names] of folders) {
    const zip = await get(`${path}/export?layout=${layout}`)
    t.match(zip.headers, {
      'content-type': 'application/zip', 'content-disposition': `attachment; filename="parcel-lockers-${layout}.zip"`
    })
    const { version, files } = await json(`${path}/files?layout=${layout}`)
    const unzipped = Object.entries(unzipSync(zip.rawPayload)).map(([name, data]) =>
      ({ path: name, content: strFromU8(data) }))
    t.same([version, unzipped], [1, files])
    t.same(files.map((file: { path: string }) => file.path), names)
    t.same((await get(`${path}/export?layout=${layout}`)).rawPayload, zip.rawPayload)
  }
})

t.test('every requirement of an OpenSpec change has SHALL or MUST, and a scenario', async (t) => {
  const { path } = await makeSession(app, brief)
  const { spec } = await generate(app, path)
  const { files } = await json(`${path}/files?layout=openspec`)
  const specs = files.filter((file: { path: string }) => file.path.endsWith('/spec.md'))
  const text: string = specs.map((file: { content: string }) => file.content).join('')
  t.match(text, /^## Purpose\n\n.{50,}\n\n## ADDED Requirements\n/)
  const parts = text.split('### Requirement: ').slice(1)
  t.equal(parts.length, spec.document.requirements.length)
  for (const part of parts) {
    t.match(part, /^[A-Z]+-\d+ .*\n\n.*\b(SHALL|MUST)\b/)
    t.match(part, /#### Scenario: .*\n\n(- \*\*GIVEN\*\* .*\n)?- \*\*WHEN\*\* .*\n- \*\*THEN\*\* /)
  }
})

t.test('what is not there is not exported', async (t) => {
  const { path } = await makeSession(app, brief)
  await generate(app, path)
  t.equal((await get(`${path}/export?version=9`)).statusCode, 404)
  t.equal((await get(`/sessions/${missing}/export`)).statusCode, 404)
  t.match((await get(`${path}/export?layout=word`)).json(), { status: 400, code: 'invalid_request' })
})
