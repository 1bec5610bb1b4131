import t from '../../tap.js'
import { workspace } from '../../app.js'
import { actor, generate } from './actors.js'

const app = await workspace(t)
const { post } = actor(app)

interface Made { id: string, title: string, statement: string, source_ids?: string[], level: string, acceptance: object[] }
const upload = async (filename: string, text: string) => {
  const input = { kind: 'file', filename, data: Buffer.from(text).toString('base64') }
  return post('/sessions', { title: 'Lamps', inputs: [input] })
}
const read = async (filename: string, text: string) => {
  const made = await upload(filename, text)
  if (made.statusCode !== 201) throw new Error(made.payload)
  const { spec } = await generate(app, `/sessions/${made.json().session_id}`)
  const { requirements, not_taken: left, open_questions: questions } = spec.document
  return {
    made: (requirements as Made[]).map(({ title, statement, source_ids: ids }) => [ids, title, statement]),
    requirements: requirements as Made[],
    left: (left as { quote: string, class: string, why: string }[]).map(({ quote, class: kind, why }) => [quote, kind, why]),
    questions: questions as { question: string, about: string, why_it_matters: string }[],
    checks: spec.checks
  }
}

t.test('directives of sphinx-needs are requirements with their ids and titles, one that is not to be built is listed', async (t) => {
  const { made, left } = await read('lamps.rst', `Lamps
=====

.. sys_req:: Light by button
   :id: sys_req__lamp__light
   :status: valid
   :satisfies: stkh__safety

   The lamp shall glow for 20 minutes.

.. sys_req:: A printer
   :id: sys_req__lamp__print
   :status: rejected

   The lamp shall print a receipt.

.. code-block:: python

   # The lamp shall never be called from here.
`)
  t.same(made, [[['sys_req__lamp__light'], 'Light by button', 'The lamp shall glow for 20 minutes.']])
  t.match(left, [['The lamp shall print a receipt.', 'other', 'Its state is “rejected”']])
  t.match(left.find(([quote]) => quote?.includes('never')), ['# The lamp shall never be called from here.', 'undecided'])
})

t.test('directives of MyST and items of a traceability plugin have their ids', async (t) => {
  const myst = await read('lamps.md', `# Lamps

\`\`\`{req} Light by button
:id: REQ_LIGHT
:status: open

The lamp shall glow for 20 minutes.
\`\`\`

:::{need} Refusal by day
:id: REQ_DAY

The lamp shall stay dark by day.
:::
`)
  t.same(myst.made, [[['REQ_LIGHT'], 'Light by button', 'The lamp shall glow for 20 minutes.'],
    [['REQ_DAY'], 'Refusal by day', 'The lamp shall stay dark by day.']])
  const { made } = await read('items.rst', `.. item:: SWRQT-LIGHT Light by button
   :validated_by: TEST-1

   The lamp shall glow for 20 minutes.
`)
  t.match(made, [[['SWRQT-LIGHT'], /./, 'The lamp shall glow for 20 minutes.']])
})

t.test('tables in directives have a requirement in each row, with the id of its column', async (t) => {
  const { made } = await read('tables.rst', `Lamps
=====

.. list-table::
   :header-rows: 1

   * - ID
     - Requirement
   * - L1
     - The lamp shall glow.
   * - L2
     - The lamp shall hum
       in the rain.

.. csv-table::
   :header: "ID", "Requirement"

   "L3", "The lamp shall beep for 2 seconds."
`)
  t.same(made.map(([ids, , statement]) => [ids, String(statement).replace(/\s+/g, ' ')]), [[['L1'], 'The lamp shall glow.'],
    [['L2'], 'The lamp shall hum in the rain.'], [['L3'], 'The lamp shall beep for 2 seconds.']])
})

const fenced = `# Lamps of a yard

## Functional requirements

### LMP-1 Light by button

\`\`\`requirement
The lamp shall glow for 20 minutes.
\`\`\`

### LMP-2 Refusal

\`\`\`gherkin
Feature: Refusal
  Scenario: Three wrong badges
    Given a lamp
    When a guard shows 3 wrong badges
    Then the lamp shall stay dark for 5 minutes

  Scenario: A right badge
    When a guard shows a right badge
    Then the lamp shall glow
\`\`\`

The lamp must hum.

## Notes

\`\`\`sh
echo "the lamp shall not be read"
\`\`\`
`

t.test('a fence of Gherkin is what the heading above demands, and a demand in another fence is asked about', async (t) => {
  const { requirements, made, left, questions, checks } = await read('fenced.md', fenced)
  t.same(made, [
    [['LMP-2'], 'Refusal', 'Given a lamp\nWhen a guard shows 3 wrong badges\nThen the lamp shall stay dark for 5 minutes'],
    [undefined, 'The lamp must hum', 'The lamp must hum.']
  ])
  t.match(requirements[0], {
    level: 'MUST',
    acceptance: [{ name: 'Three wrong badges', given: 'a lamp', when: 'a guard shows 3 wrong badges' },
      { name: 'A right badge', given: '', then: 'the lamp shall glow' }]
  })
  const why = 'It stands in a block of code under a heading with an id, “LMP-1 Light by button”'
  t.same(left.filter(([, kind]) => kind === 'undecided'), [['The lamp shall glow for 20 minutes.', 'undecided', why],
    ['echo "the lamp shall not be read"', 'undecided', 'It stands in a block of code']])
  t.match(questions, [{ question: 'Is this a requirement: “The lamp shall glow for 20 minutes.”', why_it_matters: why }])
  t.equal(questions.length, 1)
  t.equal(checks.counts.error, 0)
})

t.test('formats that nobody reads as prose are refused with what to do, or say what of them was left out', async (t) => {
  const cases: [string, string][] = [
    ['lamps.adoc', '= Lamps\n\n[[L-1]]\n== Light\n\nThe lamp shall glow.\n'],
    ['lamps.sdoc', '[DOCUMENT]\nTITLE: Lamps\n\n[REQUIREMENT]\nUID: L-1\nSTATEMENT: The lamp shall glow.\n'],
    ['lamps.reqif', '<?xml version="1.0"?><REQ-IF xmlns="http://www.omg.org/spec/ReqIF/20110401/reqif.xsd"/>'],
    ['lamps.sysml', 'requirement def Light { doc /* The lamp shall glow. */ }'],
    ['lamps.tex', '\\documentclass{article}\n\\begin{document}\nThe lamp shall glow.\n\\end{document}'],
    ['REQ001.yml', 'active: true\nderived: false\nlevel: 1.0\nlinks: []\nnormative: true\nref: \'\'\ntext: |\n  The lamp shall glow.\n']
  ]
  for (const [name, text] of cases) {
    t.match((await upload(name, text)).json(), {
      status: 422, code: 'file_type_unsupported', detail: /: (?:convert|export|make|publish) /, errors: [{ pointer: '/inputs/0/data' }]
    }, name)
  }
  const { checks } = await read('lamps.json', '{"requirements":[{"id":"L-1","text":"The lamp shall glow."}]}')
  t.match(checks.findings.find(({ rule_id: id }: { rule_id: string }) => id === 'PSE307').message, 'JSON is not read as sentences')
})
