import { strFromU8, unzipSync } from 'fflate'
import t from '../../tap.js'
import { workspace } from '../../app.js'
import { withoutSecondPage } from '../../plugins/files.js'
import { brief } from '../../../packages/spec-engine/test/engine/brief.js'
import { actor, generate, makeSession, missing } from './actors.js'

const app = await workspace(t)
const { get, json, post } = actor(app)

t.test('layouts of other tools are folders, and their zip has the same bytes each time', async (t) => {
  const { path } = await makeSession(app, brief)
  t.match((await get(`${path}/export`)).json(), { status: 409, code: 'no_version' })
  await generate(app, path)
  const folders: [string, string[]][] = [
    ['spec-kit', ['specs/001-parcel-lockers/spec.md']],
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

const longSentence = `The door must ${'sing and '.repeat(40)}dance.`
const doors = `# Doors\n\nDoors must open.\n\n## Alternatives\n\nThe door must sing.\n\n${longSentence}\n`

t.test('the Markdown is the spec, and at its end what was not read and not taken, with the reason', async (t) => {
  const { path } = await makeSession(app, doors)
  const data = withoutSecondPage.toString('base64')
  t.equal((await post(`${path}/inputs`, { kind: 'file', filename: 'scan.pdf', data })).statusCode, 201)
  const { spec: { document } } = await generate(app, path)
  const why = 'It stands below “Alternatives”'
  t.equal((await get(`${path}/export?layout=markdown`)).payload, `# Parcel lockers

> ${document.engine.notice}

## Requirements

### FR-001 Doors must open

Doors must open.

MUST · P1 · verified by test

> Doors must open. (Brief › Doors)

### FR-002 The lamp must glow

The lamp must glow.

MUST · P1 · verified by test

> The lamp must glow. (scan.pdf)

## Trace

| Requirement | Stories | Criteria | Standards | Stands in |
|---|---|---|---|---|
| FR-001 |  | 0 |  | Brief › Doors |
| FR-002 |  | 0 |  | scan.pdf |

## Appendix: what the spec does not contain

### Not read

- scan.pdf was not read in whole; left out: pages without text, perhaps scans: 2

### Not taken

- “The door must sing.” (Brief › Doors › Alternatives › line 7): ${why}
- “${longSentence.slice(0, 300)}…” (Brief › Doors › Alternatives › line 9): ${why}
`)
})

t.test('a spec that is read as an input demands nothing that it has not taken', async (t) => {
  const { id, path } = await makeSession(app, doors)
  await generate(app, path)
  const { payload } = await get(`${path}/export?layout=markdown`)
  const data = Buffer.from(payload).toString('base64')
  const bodies = [{ kind: 'spec', session_id: id }, { kind: 'file', filename: 'spec.md', data }]
  for (const body of bodies) {
    const other = await makeSession(app, 'Lamps must glow.')
    t.equal((await post(`${other.path}/inputs`, body)).statusCode, 201)
    const { spec } = await generate(app, other.path)
    const statements = spec.document.requirements.map(({ statement }: { statement: string }) => statement)
    t.notMatch(statements.join(' '), /sing/, body.kind)
  }
})

t.test('unknown versions, sessions and layouts are refused', async (t) => {
  const { path } = await makeSession(app, brief)
  await generate(app, path)
  t.equal((await get(`${path}/export?version=9`)).statusCode, 404)
  t.equal((await get(`/sessions/${missing}/export`)).statusCode, 404)
  t.match((await get(`${path}/export?layout=word`)).json(), { status: 400, code: 'invalid_request' })
})

t.test('the layouts spec-kit and kiro contain the standards of the version', async (t) => {
  const rule = {
    rule_id: 'no-etc',
    title: 'No "etc."',
    statement: 'Lists are complete.',
    level: 'MUST',
    severity: 'error',
    target: 'requirements',
    check: { fn: 'forbid', options: { patterns: ['\\betc\\b'] } }
  }
  const standard = (await post('/standards', {
    key: 'house',
    title: 'House rules',
    kind: 'guideline',
    body_markdown: 'We say what we mean.',
    rules: [rule, { ...rule, rule_id: 'off', severity: 'off' }]
  })).json()
  const { path } = await makeSession(app, brief, { standards: [{ standard_id: standard.standard_id }] })
  await generate(app, path)
  const filesOf = async (layout: string): Promise<{ path: string, content: string }[]> =>
    (await json(`${path}/files?layout=${layout}`)).files
  t.same((await filesOf('spec-kit')).at(-1), {
    path: '.specify/memory/constitution.md',
    content: '# Parcel lockers Constitution\n\n## Core Principles\n\n### House rules\n\nWe say what we mean.\n\n' +
      '- **no-etc** (MUST): Lists are complete.\n\n## Governance\n\n- house, version 1\n'
  })
  t.same((await filesOf('kiro')).at(-1), {
    path: '.kiro/steering/house.md',
    content: '---\ninclusion: always\n---\n\n# House rules\n\nWe say what we mean.\n\n## Rules\n\n' +
      '- **no-etc** (MUST): Lists are complete.\n'
  })
})

t.test('findings are exported as SARIF, each at its line of the Markdown', async (t) => {
  const { path } = await makeSession(app, brief)
  const { spec } = await generate(app, path)
  const answer = await get(`${path}/export?layout=sarif`)
  t.match(answer.headers, {
    'content-type': 'application/sarif+json', 'content-disposition': 'attachment; filename="parcel-lockers.sarif"'
  })
  const { version, runs: [{ results, tool: { driver } }] } = answer.json()
  const { findings, engine_version } = spec.checks
  t.same([version, driver.name, driver.version], ['2.1.0', 'Steward', engine_version])
  t.same(driver.rules.map(({ id }: { id: string }) => id),
    [...new Set(findings.map(({ rule_id: id }: { rule_id: string }) => id))].sort())
  const levels: Record<string, string> = { error: 'error', warn: 'warning', info: 'note' }
  const lines = (await get(`${path}/export?layout=markdown`)).payload.split('\n')
  t.equal(results.length, findings.length)
  for (const [at, result] of results.entries()) {
    const { rule_id, severity, target, message, finding_id } = findings[at]
    const { physicalLocation: { artifactLocation, region }, logicalLocations } = result.locations[0]
    t.same([result.ruleId, result.level, result.message.text, artifactLocation.uri, logicalLocations,
      result.partialFingerprints, result.suppressions],
    [rule_id, levels[severity], `${target}: ${message}`, 'parcel-lockers.md', [{ fullyQualifiedName: target }],
      { 'finding/v1': finding_id }, []])
    const id = /^[A-Z]+-\d+/.exec(target)?.[0]
    if (id) t.match(lines[region.startLine - 1], id)
  }
  t.ok(results.some(({ locations }: { locations: { physicalLocation: { region: { startLine: number } } }[] }) =>
    (locations[0]?.physicalLocation.region.startLine ?? 0) > 1), 'some findings have a line of their own')
})
