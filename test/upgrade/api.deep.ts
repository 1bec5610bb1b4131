import { readFileSync } from 'node:fs'
import t from '../tap.js'
import { parse } from 'yaml'
import { fieldsOf, isObject } from '../../schemas/unknown.js'
import { readLast } from '../last-release.js'
import { breakingChanges } from './api-changes.js'

type Json = Record<string, unknown>

const after = parse(readFileSync('openapi.yaml', 'utf8')) as Json

/** What clients of the last release meet all the same, and why that is right. A new release begins with none. */
const accepted: [change: RegExp, reason: string][] = [
  [/header Idempotency-Key: its pattern is /, 'the document says now what was refused before, too'],
  [/^GET \/content\/brands\/\{project_id\} 200\.channels\..*: may be absent now$/,
    'the defaults did not fit their schemas, so the document was wrong of brands that set less'],
  [/^POST \/content body\.waivers\[\]\.rule_id: its pattern is /, 'it takes the names of more rules, and all of before'],
  [/^POST \/api\/v1\/agent\/confirm 200\.(status: pending|decided_at: may be null)/,
    'an approval may need several people: CHANGELOG.md, Approvals'],
  [/ 200\.style\.spelling: off is new/, 'only who turns a brand\'s spelling off meets it'],
  [/ 200\.warnings\[\]: session_tags_not_allowed, /, 'credentials per write have warnings of their own'],
  [/ 200\.terms\.banned\[\]\.match: exact is new/, 'terms may match exactly'],
  [/\.kind: mail, mastodon, bluesky, linkedin is new in an answer/, 'only who sets such a target up meets one'],
  [/^POST \/codehost\/invitations 201\.user\.role: none, operator, approver is new/, 'CHANGELOG.md, Rights'],
  [/^GET \/codehost\/repos\/\{repo_id\}\/pulls 200\.items\[\]\.checks\|0\.state: skipped is new/,
    'checks that all were skipped were called a success, which nothing had judged'],
  [/status: parked is new in an answer/,
    'a message while an approval waits cancelled its run, and leaves it waiting now: CHANGELOG.md'],
  [/^GET \/codehost\/commits\/search 200\.total_count: may be null/,
    'a count stands only where one search makes it; the sum of several was false'],
  [/^GET \/pse\/sessions\/\{session_id\} 200\.included\.spec\|0\.(document\.uncovered|checks\|0\.coverage\.\w+): is gone$/,
    'specs are sorted instead of written, and count what they took: CHANGELOG.md']
]

t.test('what was made for the last release goes on working, but for what is accepted here', async (t) => {
  const changes = breakingChanges(parse(readLast('openapi.yaml')) as Json, after)
  t.same(changes.filter((change) => !accepted.some(([one]) => one.test(change))), [])
  t.same(accepted.filter(([one]) => !changes.some((change) => one.test(change))).map(([one]) => one.source), [],
    'what no longer differs')
})

/** @returns the document with one part changed */
const changed = (change: (document: Json) => void): Json => {
  const document = structuredClone(after)
  change(document)
  return document
}
const partOf = (node: unknown, ...path: string[]): Json => path.reduce<Json>((inner, name) => {
  const part = inner[name]
  if (!isObject(part)) throw new Error(`Nothing is at ${name} of ${path.join(' ')}`)
  return part
}, fieldsOf(node))
const schemaOf = (document: Json, name: string) => partOf(document, 'components', 'schemas', name)
const projects = '/account/projects'

const breaks: Record<string, [change: (document: Json) => void, found: RegExp]> = {
  'an operation that is gone': [(d) => { delete partOf(d, 'paths', projects).post },
    /^POST \/account\/projects: is gone$/],
  'another name of one': [(d) => { partOf(d, 'paths', projects, 'post').operationId = 'x' },
    /is x, and was createProject$/],
  'a parameter that is gone': [(d) => { partOf(d, 'paths', projects, 'get').parameters = [] },
    /^GET .* query q: is gone$/],
  'a new parameter that must be sent': [(d) => {
    partOf(d, 'paths', projects, 'get').parameters = [{ in: 'query', name: 'x', required: true, schema: {} }]
  }, /query x: must be sent now$/],
  'a field that must be sent': [(d) => { schemaOf(d, 'CreateProject').required = ['name', 'description'] },
    /^POST \/account\/projects body\.description: must be sent now$/],
  'a field that is not taken any more': [(d) => {
    delete partOf(schemaOf(d, 'CreateProject'), 'properties').description
  }, /body\.description: is gone$/],
  'a shorter text': [(d) => {
    partOf(schemaOf(d, 'CreateProject'), 'properties').name = { type: 'string', minLength: 1, maxLength: 3 }
  }, /body\.name: its maxLength is 3, and was [0-9]+$/],
  'a field that an answer has no more': [(d) => { delete partOf(schemaOf(d, 'Project'), 'properties').name },
    /^[A-Z]+ [^ ]+ 20[01].*\.name: is gone$/],
  'a field that an answer may lack': [(d) => { schemaOf(d, 'Project').required = ['id'] }, /\.name: may be absent now$/],
  'another type in an answer': [(d) => { partOf(schemaOf(d, 'Project'), 'properties').name = { type: 'integer' } },
    /\.name: may be integer, which was not so/],
  'an answer that may be null': [(d) => {
    partOf(schemaOf(d, 'Project'), 'properties').name = { type: ['string', 'null'] }
  }, /\.name: may be null, which was not so/]
}

t.test('each kind of breaking change is found, and nothing else', async (t) => {
  t.same(breakingChanges(after, after), [])
  for (const [name, [change, found]] of Object.entries(breaks)) {
    t.match(breakingChanges(after, changed(change)).find((one) => found.test(one)), found, name)
  }
})

t.test('what only adds breaks nothing', async (t) => {
  t.same(breakingChanges(after, changed((document) => {
    partOf(document, 'paths')['/new'] = { get: { responses: {} } }
    partOf(schemaOf(document, 'Project'), 'properties').color = { type: 'string' }
    partOf(schemaOf(document, 'CreateProject'), 'properties').color = { type: 'string' }
    partOf(document, 'paths', projects, 'get').parameters = [
      ...partOf(document, 'paths', projects, 'get').parameters as unknown[],
      { in: 'query', name: 'color', schema: { type: 'string' } }
    ]
  })), [])
})
