import t from '../../../../test/tap.js'
import { compile, source } from './material.js'

const statementsOf = (text: string) => compile(text).requirements.map(({ statement }) => statement)
const csv = { media_type: 'text/csv' }

t.test('what the product does in the steps of a use case is demanded, under its condition', async (t) => {
  const document = compile(`# Use Case 4: Withdraw Cash

**Primary Actor:** Account Holder
**Scope:** ATM

**Main Success Scenario:**
1. The account holder inserts the card.
2. The ATM asks the customer for the PIN.

**Extensions:**
2a. The PIN is wrong:
  2a1. The ATM shows how many tries are left.
*a. At any time the network fails:
  *a1. The ATM returns the card.
`)
  t.same(document.requirements.map(({ title, statement }) => [title, statement]), [
    ['The ATM asks the customer for the PIN', 'The ATM asks the customer for the PIN.'],
    ['The ATM shows how many tries are left', 'The PIN is wrong: The ATM shows how many tries are left.'],
    ['The ATM returns the card', 'At any time the network fails: The ATM returns the card.']
  ])
  t.match(document.not_taken, [
    { quote: 'The account holder inserts the card.', why: 'It says what a person does in a use case' }
  ])
})

t.test('the answers below questions that are headings are decisions, unless nobody knows them', async (t) => {
  const document = compile(`# Share

## FAQ

**Q: How long is a study available?**
A: 30 days. After that it is deleted.

**Q: Must patients agree?**
A: Before a study is sent, consent must be recorded.

### What happens without a clinic?

We don't know yet.
`)
  t.same(document.decisions.map(({ outcome }) => outcome),
    ['How long is a study available? 30 days. After that it is deleted.'])
  t.same(document.requirements.map(({ statement }) => statement),
    ['Before a study is sent, consent must be recorded.'])
  t.same(document.open_questions.filter(({ about }) => about === 'input').map(({ question }) => question),
    ['What happens without a clinic?'])
})

t.test('signs in front of headings, tags and plans of dates are no part of what is demanded', async (t) => {
  const document = compile(`# 🚀 Calendar

## 🎯 Why now?
Many meetings are missed.

## 🤔 Nice to haves
- [ ] Show a colour per calendar

## ❓ Questions
- [ ] What about private events?

<details>
<summary>Tech notes</summary>

Sync must finish within 30 s.

</details>

## 📅 Timeline
| When | What |
|---|---|
| Mar | Beta must be ready |

Users must be able to print.
`)
  t.equal(document.problem, 'Many meetings are missed.')
  t.same(document.requirements.map(({ statement, priority }) => [statement, priority]),
    [['THE SYSTEM SHALL show a colour per calendar.', 'P3'], ['Sync SHALL finish within 30 s.', 'P1'],
      ['THE SYSTEM SHALL allow users to print.', 'P1']])
  t.same(document.open_questions.filter(({ about }) => about === 'input').map(({ question }) => question),
    ['What about private events?'])
  t.match(document.not_taken,
    [{ quote: 'Beta must be ready', why: 'Its section is about the project, not the product' }])
})

t.test('each field of a record stands by itself, and its rationale demands nothing', async (t) => {
  t.same(statementsOf(`**Requirement #:** 110  **Requirement Type:** 11
**Description:** The product shall be easy to use with one hand.
**Rationale:** Drivers must keep a hand on the wheel.
**Fit Criterion:** 90 % of 20 drivers shall record a reading in less than 10 seconds.
**Priority:** Medium  **Conflicts:** 105
`), ['THE SYSTEM SHALL be easy to use with one hand.',
    '90 % of 20 drivers SHALL record a reading in less than 10 seconds.'])
})

t.test('a case of a test says what it shows, and its steps demand nothing', async (t) => {
  const { requirements } = compile([source(`ID,Title,Steps,Expected result,Priority
TC-01,Sign in,Enter name and password,The dashboard is shown,High
TC-02,Wrong password,"1. Open it
2. Enter a wrong one",An error is shown,Low
`, csv)])
  t.same(requirements.map(({ statement, source_ids: ids, priority }) => [statement, ids, priority]), [
    ['Sign in: The dashboard is shown', ['TC-01'], 'P1'], ['Wrong password: An error is shown', ['TC-02'], 'P3']
  ])
})

t.test('tables of stories are read in four languages, with what each is accepted by', async (t) => {
  const { stories, requirements } = compile(`# Backlog

| ID | En tant que | Je veux | Afin de | Priorité | Critères d'acceptation |
|---|---|---|---|---|---|
| US1 | administrateur | suspendre un compte | protéger les clients | Basse | Le client est prévenu en moins de 5 s |
`)
  t.match(stories, [{ role: 'administrateur', want: 'suspendre un compte', so_that: 'protéger les clients' }])
  t.same(requirements.map(({ statement, priority }) => [statement, priority]), [
    ['En tant qu\'administrateur, je veux suspendre un compte afin de protéger les clients.', 'P3'],
    ['Le client est prévenu en moins de 5 s', 'P3']
  ])
  t.match(compile('| Als | möchte ich | damit |\n|---|---|---|\n| Kurier | Pakete scannen | nichts verloren geht |')
    .stories, [{ role: 'Kurier', want: 'Pakete scannen', so_that: 'nichts verloren geht' }])
  t.match(compile('| Como | quiero | para |\n|---|---|---|\n| cliente | pagar con tarjeta | ahorrar tiempo |')
    .stories, [{ role: 'cliente', want: 'pagar con tarjeta', so_that: 'ahorrar tiempo' }])
})

t.test('the times of a recording are no bounds, and its speakers are the authors', async (t) => {
  const document = compile(`WEBVTT

1
00:00:08.400 --> 00:00:15.010
<v Tom Brandt>Customers must be able</v>

2
00:00:15.500 --> 00:00:22.300
<v Tom Brandt>to print the label themselves.</v>

3
00:00:23.000 --> 00:00:29.700
Anna Keller: The portal should say why it refuses a return.
`)
  t.same(document.requirements.map(({ statement }) => statement), [
    'THE SYSTEM SHALL allow customers to print the label themselves.', 'The portal SHOULD say why it refuses a return.'
  ])
  t.same(document.not_taken, [])
  t.match(document.requirements[1]?.citations[0], { quote: 'The portal should say why it refuses a return.' })
})

t.test('a chat that is copied out of a browser has its time before its date', async (t) => {
  t.same(statementsOf(`[10:03, 3/3/2026] Marcos: El lector tiene que funcionar sin red
[10:04, 3/3/2026] Lucía: Y debe avisar cuando la memoria esté al 90 %
`), ['El lector TIENE QUE funcionar sin red', 'Y DEBE avisar cuando la memoria esté al 90 %'])
})

t.test('the answers of a questionnaire are no rights, and what was missed is no demand', async (t) => {
  t.same(statementsOf(`# Security questionnaire

| No. | Question | Answer | Comment |
|---|---|---|---|
| 5 | Is there an agreement? | Yes | |
`), [])
  const missed = 'On-call should have been paged. Nobody must have noticed it in review.'
  t.same(statementsOf(`# What went wrong\n\n${missed}`), [])
  t.same(statementsOf('# Access\n\nGuests should have limited access. We must have a backup.'),
    ['Guests SHOULD have limited access.', 'We must have a backup.'])
})

t.test('what a team will not do is out of scope, and a key result measures success', async (t) => {
  const document = compile(`# Q2 planning

**Objective:** Customers are productive on day one.

KR1: Time to first project from 3 days to 4 hours

**What we won't do**: mobile onboarding
`)
  t.same([document.goals, document.non_goals],
    [['Customers are productive on day one.'], ['mobile onboarding']])
  t.match(document.success_criteria,
    [{ metric: 'Time to first project from 3 days to 4 hours', target: '4', unit: 'hours' }])
  const ferry = compile('# Fähre\n\n## 4 Nicht Teil des Projekts\n4.1 Sitzplätze\n4.2 Fracht\n')
  t.same(ferry.non_goals, ['Sitzplätze', 'Fracht'])
})

t.test('words that are struck out are not demanded, and a document that says what is out is not asked', async (t) => {
  const document = compile('# Out of scope\n\n- Cash\n\n# Pay\n\nUsers must pay by card or ~~PayPal~~ Google Pay.')
  t.same(document.requirements.map(({ statement }) => statement), ['Users SHALL pay by card or Google Pay.'])
  t.notOk(document.open_questions.some(({ about }) => about === 'taxonomy:scope'))
})

const pitch = `# Pitch: Late fees

## Solution
Fees below 1 € are forgiven at midnight. Everything else is collected once a month.

Members see what they owe on their card page.

## No-gos
- No SMS
`

t.test('what a solution says in the present is listed and asked about, and demanded once agreed', async (t) => {
  const first = compile(pitch)
  t.same([first.requirements, first.non_goals], [[], ['No SMS']])
  t.same(first.not_taken?.map(({ quote, class: kind }) => [quote, kind]), [
    ['Fees below 1 € are forgiven at midnight.', 'unclear'],
    ['Everything else is collected once a month.', 'unclear'],
    ['Members see what they owe on their card page.', 'unclear']
  ])
  const [question] = first.open_questions
  t.match(question, {
    about: 'statements:1',
    question: /^3 sentences below “Solution” say how it works .* Are they requirements\?$/,
    options: ['Yes', 'No']
  })
  const about = { question_id: question?.id ?? '' }
  const answered = (words: string) =>
    compile([source(pitch), source(words, { seq: 2, kind: 'answer', about })], { base: first, version: 2 })
  const yes = answered('Yes')
  t.same(yes.requirements.map(({ statement }) => statement), first.not_taken?.map(({ quote }) => quote))
  t.same(yes.open_questions.find(({ id }) => id === question?.id)?.status, 'answered')
  t.same(answered('No').requirements, [])
  // Which ones, nobody can know.
  t.same(answered('Yes, but not the second one').requirements, [])
})

t.test('minutes in French have their requests, decisions and open points', async (t) => {
  const document = compile(`# Compte rendu

## 2. Demandes
- Mme Haddad demande que l'usager puisse joindre trois documents.

## 3. Décisions
D1. Les documents sont conservés 6 mois.

## 4. Points ouverts
- Qui répond en août ?
`)
  t.same(document.requirements.map(({ statement }) => statement),
    ['Mme Haddad demande que l\'usager puisse joindre trois documents.'])
  t.same(document.decisions.map(({ outcome }) => outcome), ['Les documents sont conservés 6 mois.'])
  t.ok(document.open_questions.some(({ question }) => question === 'Qui répond en août ?'))
})

t.test('a runbook demands nothing of a product, and the words of a row of goals are one goal', async (t) => {
  t.same(statementsOf('# Runbook: certificate\n\nYou must have access.\n\n1. If not, you need to restart it.'), [])
  const table = '| Prio | Goal | Scenario |\n|---|---|---|\n| 1 | Availability | Back in 5 minutes |'
  const { goals } = compile(`# Goals\n\n${table}`)
  t.same(goals, ['Back in 5 minutes'])
})

t.test('a Lastenheft with headings right above their text has its functions, data and performance', async (t) => {
  t.same(compile([source(`LASTENHEFT

1 Zielbestimmung
Der Wareneingang wird heute auf Papier erfasst.

2 Produkteinsatz
Anwender sind Lagerkräfte.

3 Produktfunktionen
/F10/ Der Lagerist scannt den Lieferschein; die Bestellung wird angezeigt.
/F20/ Teillieferungen sind möglich.

4 Produktdaten
/D10/ Aufbewahrung 10 Jahre

5 Produktleistungen
/L10/ Ein Scan wird in höchstens 0,5 Sekunden bestätigt.
`, { media_type: 'text/plain' })]).requirements.map(({ source_ids: ids }) => ids?.[0]), ['F10', 'F20', 'D10', 'L10'])
})

t.test('targets below “Non-functional”, what a main clause demands, and what is accepted are taken', async (t) => {
  t.same(statementsOf(`# PRD

## Non-functional

| Aspect | Target |
|---|---|
| Balance lookup | < 300 ms |

## The solution you want

It should print what it would have changed. Django should have done the same.

**1)** The system must send a mail.

## Deliverables

| # | Deliverable | Acceptance |
|---|---|---|
| 1 | Test system | All templates pass WCAG 2.1 AA |
`), ['Balance lookup: < 300 ms', 'It should print what it would have changed.', 'THE SYSTEM SHALL send a mail.',
    'Test system', 'All templates pass WCAG 2.1 AA'])
})
