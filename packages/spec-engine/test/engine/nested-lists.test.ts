import t from '../../../../test/tap.js'
import { compile, source } from './material.js'

const statementsOf = (text: string) => compile(`# Plans\n\n## Requirements\n\n${text}`).requirements
  .map(({ statement }) => statement)

t.test('an item of a nested list says what the item above it says', async (t) => {
  t.same(statementsOf('- Reports\n  - Weekly summary by e-mail\n  - It must be sent by 7:00.\n' +
    '- Sharing\n  - Plans are private.'), [
    'Reports: Weekly summary by e-mail',
    'Reports: It must be sent by 7:00.',
    'Plans are private.'
  ])
})

t.test('what has no verb goes on with the demand above it, and its own list stands in brackets', async (t) => {
  t.same(statementsOf('- The system shall support:\n  - export\n    - as CSV\n    - as PDF\n  - import\n' +
    '- Users can share a plan\n  - by e-mail\n  - by link'), [
    'THE SYSTEM SHALL support: export (as CSV, as PDF); import.',
    'THE SYSTEM SHALL allow users to share a plan: by e-mail; by link.'
  ])
})

t.test('a list ends where an item stands beside the one that opens it', async (t) => {
  t.same(statementsOf('- Users can:\n  - share a plan\n  - print a plan\n- Reports\n  - Weekly summary by e-mail'), [
    'Users can: share a plan; print a plan',
    'Reports: Weekly summary by e-mail'
  ])
})

t.test('the words above a list stand before its items, and not before whole sentences', async (t) => {
  t.same(statementsOf('The system must:\n\n- Export reports\n  - as CSV\n- Users can share a plan.'), [
    'THE SYSTEM SHALL export reports: as CSV.',
    'THE SYSTEM SHALL allow users to share a plan.'
  ])
  t.same(statementsOf('Der Server muss:\n\n- Berichte\n  - als PDF erzeugen\n  - monatlich versenden').slice(1), [
    'Der Server MUSS Berichte als PDF erzeugen',
    'Der Server MUSS Berichte monatlich versenden'
  ])
})

t.test('a requirement of a nested list cites the words above it too', async (t) => {
  const { requirements } = compile('# Requirements\n\n- Reports\n  - Weekly summary by e-mail')
  t.same(requirements.map(({ citations }) => citations.map(({ quote }) => quote)),
    [['Reports', 'Weekly summary by e-mail']])
})

t.test('reStructuredText: terms and fields below a colon complete the sentence that introduces them', async (t) => {
  const text = `Tasks
=====

:Author: Ada

Specification
-------------

The site must ship with the following stores:

Memory
   Keeps tasks until the process ends.

Disk
   Keeps tasks for 30 days.

The state must be one of the following:

:NEW: Not started yet.
:DONE: Ended.

Other tasks stay.
`
  t.same(compile([source(text, { media_type: 'text/x-rst' })]).requirements.map(({ statement }) => statement), [
    'The site SHALL ship with the following stores: Memory Keeps tasks until the process ends; ' +
      'Disk Keeps tasks for 30 days.',
    'The state SHALL be one of the following: NEW: Not started yet; DONE: Ended.'
  ])
})
