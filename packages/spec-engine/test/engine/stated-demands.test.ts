import t from '../../../../test/tap.js'
import { compile } from './material.js'

const statementsOf = (text: string) => compile(text).requirements.map(({ statement }) => statement)

t.test('among requirements, a statement with a bound is demanded, and a report of what was tried is not', async (t) => {
  t.same(statementsOf(`# Search

## Performance

The p95 of a search is at most 300 ms. Uploads are limited to 10 MB. Searches are quick and pleasant for all.
Plans with more than 500 beds have not been tried yet.
`), ['The p95 of a search is at most 300 ms.', 'Uploads are limited to 10 MB.'])
  t.same(statementsOf('# Background\n\nThe p95 of a search is at most 300 ms.'), [])
})

t.test('among requirements, what only the product does is demanded', async (t) => {
  t.same(statementsOf(`# Requirements

The system displays the total of each order. The team is small.
`), ['The system displays the total of each order.'])
  t.same(statementsOf('# Anforderungen\n\nDas System speichert jede Buchung mit ihrem Datum.'),
    ['Das System speichert jede Buchung mit ihrem Datum.'])
  t.same(statementsOf('# Exigences\n\nL\'application permet de trier les commandes par date.'),
    ['L\'application permet de trier les commandes par date.'])
})

t.test('a section’s name before a colon or a dash is a heading of its line', async (t) => {
  t.same(statementsOf(`# Garden

Guardrails: no plan is deleted without a confirmation.

Limits — at most 5 plans per person.

Ada: no plan is deleted without a confirmation.
`), ['no plan is deleted without a confirmation.', 'at most 5 plans per person.'])
  t.same(compile('Out of scope: payments by card.').non_goals, ['payments by card.'])
})

t.test('a row of crosses says who may do what, and what stands for no in its table', async (t) => {
  t.same(statementsOf(`# Permissions

| Feature | Guest | Member | Admin |
|---|---|---|---|
| See plans | ✓ | ✓ | ✓ |
| Edit plans | | ✓ | x |
| **Reports** | | | |
| Delete plans | x | x | x |
`), [
    'See plans: ✓ Guest, Member, Admin',
    'Edit plans: ✓ Member; ✗ Guest, Admin',
    'Delete plans: ✗ Guest, Member, Admin'
  ])
  t.same(statementsOf('# Pläne\n\n| Funktion | Frei | Pro |\n|---|---|---|\n| PDF-Ausgabe | | x |\n'),
    ['PDF-Ausgabe: ✓ Pro; ✗ Frei'])
})

t.test('crosses that say how far something is, or stand outside what is demanded, demand nothing', async (t) => {
  t.same(statementsOf('# Requirements\n\n| Feature | Done | Tested |\n|---|---|---|\n| See plans | x | x |\n'), [])
  t.same(statementsOf('# Background\n\n| Tool | Fast | Free |\n|---|---|---|\n| Spade | x | x |\n'), [])
})

t.test('an item that names a part of a document is listed, and one that names a feature demanded', async (t) => {
  const { requirements, not_taken } = compile('# Requirements\n\n- Secure password storage\n' +
    '- Table of contents overview\n- Use case diagrams')
  t.same(requirements.map(({ statement }) => statement), ['Secure password storage'])
  t.match(not_taken, [
    { quote: 'Table of contents overview', why: 'It names a part of a document' },
    { quote: 'Use case diagrams', why: 'It names a part of a document' }
  ])
})

t.test('a list of what will be possible is demanded wherever it stands', async (t) => {
  t.same(statementsOf('# Introduction\n\nThe site will let its members:\n\n- share a plan\n- print a plan\n'),
    ['The site SHALL let its members: share a plan; print a plan.'])
  t.same(statementsOf('# Risks\n\nThe delay will allow competitors:\n\n- a head start\n'), [])
})

t.test('the ids that people write before a dash or a colon are the requirement’s', async (t) => {
  const { requirements } = compile('# Requirements\n\nSA1 - The software must keep a copy.\n\n' +
    'Requirement 7: the copy must be encrypted.')
  t.match(requirements, [
    { statement: 'THE SYSTEM SHALL keep a copy.', source_ids: ['SA1'] },
    { statement: 'The copy SHALL be encrypted.', source_ids: ['Requirement 7'] }
  ])
})

t.test('a register of decisions has its reasons beside them, and a page about decisions its own words', async (t) => {
  const { decisions } = compile(`# About the decisions that we took

This page says why.

| # | Decision | Rationale |
|---|---|---|
| D1 | Doors are managed here. | Others know more about people. |
`)
  t.same(decisions.map(({ outcome }) => outcome), ['Doors are managed here.'])
})

t.test('what a meeting has to discuss is no requirement', async (t) => {
  t.same(statementsOf('# Minutes\n\n- This is a question that we should answer first.\n' +
    '- Not saying that we must stop.\n- The door must close.'), ['The door SHALL close.'])
})

t.test('the entries of a table of contents are no headings, and numbers of things no pages', async (t) => {
  const { requirements } = compile(`Contents

1 Introduction 3

2 Requirements 4

2.1 Doors 4

2.2 Lamps 5

# 1 Introduction

The door must close.

# 2 Lamps

Lamp 1
Lamp 2
`)
  t.match(requirements, [{ statement: 'The door SHALL close.', citations: [{ location: '1 Introduction' }] }])
})

t.test('below the title of a requirements document, sections of something else demand no items', async (t) => {
  const { requirements, not_taken } = compile(`# Product Requirements Document

## Who we build for

- Wants structure but no rigid plans

## Feature specifications

- Tap a cell to see its details
- ✅ Weekly summary by e-mail
`)
  t.same(requirements.map(({ statement }) => statement),
    ['Tap a cell to see its details', 'Weekly summary by e-mail'])
  t.match(not_taken, [{ why: 'Only the title of the document says that requirements stand here' }])
})

t.test('what the project needs is no requirement of the product', async (t) => {
  t.same(statementsOf('# Cahier des charges\n\n## Besoins ressources\n\n- 1 développeur full-stack à temps plein\n\n' +
    '## Fonctionnalités\n\n- Export des recettes au format PDF'), ['Export des recettes au format PDF'])
})

t.test('a list of proposed changes demands in the imperative, and its other items are listed', async (t) => {
  const { requirements, not_taken } = compile('# Second factor\n\n## Proposed change\n\n' +
    '1. Enable codes of an authenticator app.\n2. Accounts of other providers exempted.')
  t.same(requirements.map(({ statement }) => statement), ['THE SYSTEM SHALL enable codes of an authenticator app.'])
  t.match(not_taken, [{ quote: 'Accounts of other providers exempted.', class: 'unclear' }])
})

t.test('a risk stands in its own column of a register', async (t) => {
  t.same(compile('# Risks\n\n| Risk | Impact | Mitigation |\n|---|---|---|\n' +
    '| Poor light hides the hand | High | Add guidance for lamps |\n').risks, ['Poor light hides the hand'])
})

t.test('the requirement of a story speaks of its person, and a form’s solution is what a person wants', async (t) => {
  t.same(statementsOf('# Stories\n\nAs a courier, I want to see my tour so that I can plan.'),
    ['THE SYSTEM SHALL allow a courier to see their tour.'])
  t.same(statementsOf('# Codes\n\n## Preflight checklist\n\n- [X] I could not find a solution in the docs\n\n' +
    '## Describe your ideal solution\n\nIf codes were made the user can see those that were used.'),
  ['If codes were made the user can see those that were used.'])
})

t.test('a label that ranks what stands below it is a heading, also behind a name', async (t) => {
  const { requirements } = compile('# Scope\n\n**MVP scope - Must Have for launch:**\n\n- Preview of the webcam\n\n' +
    '**MVP scope - Nice to Have:**\n\n- Recording of annotated calls')
  t.same(requirements.map(({ statement, priority }) => [statement, priority]),
    [['Preview of the webcam', 'P1'], ['Recording of annotated calls', 'P3']])
})
