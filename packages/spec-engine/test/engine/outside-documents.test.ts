import t from '../../../../test/tap.js'
import { compile, source } from './material.js'

const statementsOf = (text: string) => compile(text).requirements.map(({ statement }) => statement)

t.test('a tender’s numbered headings divide it, and what bidders must do is not the product’s', async (t) => {
  const document = compile(`SECTION 1 - INSTRUCTIONS TO BIDDERS
1.1 The Bidder shall submit two copies.

SECTION 3 - SCOPE OF WORK
3.1 Functional Requirements
3.1.1 The System shall, at a minimum:
      a) send a notice three days before an item is due;
      b) suspend borrowing.
3.1.2 It is desirable that the System offer a self-checkout interface.
3.2 Performance
3.2.1 Availability: 99.5% measured monthly.
3.3 Out of scope
3.3.1 Hardware for the branches.
`)
  t.same(document.requirements.map(({ statement, level }) => [statement, level]), [
    ['THE SYSTEM SHALL send a notice three days before an item is due.', 'MUST'],
    ['THE SYSTEM SHALL suspend borrowing.', 'MUST'],
    ['It is desirable that the System offer a self-checkout interface.', 'SHOULD'],
    ['Availability: 99.5% measured monthly.', 'MUST']
  ])
  t.same(document.non_goals, ['Hardware for the branches.'])
  t.match(document.not_taken?.map(({ quote, why }) => [quote, why])[0],
    ['1.1 The Bidder shall submit two copies.', 'It asks something of who bids, not of the product'])
})

t.test('a row of service levels has its window, and a term’s definition stands by itself', async (t) => {
  t.same(statementsOf(`# Service level objectives

| SLI | Objective | Window |
|---|---|---|
| Availability | ≥ 99.95 % | 30 days rolling |
| Duplicate charges | 0 | any |

Alerting
: A burn rate above 14.4 must page the engineer.
`), ['Availability: ≥ 99.95 % over 30 days rolling', 'Duplicate charges: 0',
    'A burn rate above 14.4 SHALL page the engineer.'])
})

t.test('a backlog demands in its descriptions and acceptance criteria, not in its bugs and epics', async (t) => {
  const document = compile([source(`Issue key;Issue Type;Summary;Description;Status;Acceptance Criteria
A-1;Story;Invoice;"An invoice must be sent. It must not exceed 2 MB.";To Do;"- PDF/A-3 is used
- It is named invoice.pdf"
A-2;Bug;Total;The total shows 1.01.;To Do;
A-3;Story;Dark mode for the shop;;To Do;
A-4;Story;Share lists;Share a list with a friend.;Won't Do;
`, { media_type: 'text/csv' })])
  t.same(document.requirements.map(({ statement, source_ids: ids }) => [statement, ids ?? []]), [
    ['An invoice SHALL be sent.', ['A-1']],
    ['It must not exceed 2 MB.', ['A-1']],
    ['PDF/A-3 is used', []],
    ['It is named invoice.pdf', []],
    ['Dark mode for the shop', ['A-3']]
  ])
  t.same(document.not_taken?.map(({ quote, why }) => [quote, why]), [
    ['The total shows 1.01.', 'Its row is marked “Bug”'],
    ['Share a list with a friend.', "Its row is marked “Story Won't Do”"]
  ])
})

t.test('the answer beside a question, or behind it in a FAQ, is decided, with its yes or no', async (t) => {
  const { decisions, open_questions: open } = compile(`# Returns

## Questions

| Question | Outcome |
|---|---|
| Do we refund postage? | No, only for defects (Mina) |
| Who pays from Norway? | |

## FAQ

**Can I export it?** No. **What if it fails?** It is shown with a warning.
`)
  t.same(decisions.map(({ outcome }) => outcome), ['Do we refund postage? No, only for defects (Mina)',
    'Can I export it? No.', 'What if it fails? It is shown with a warning.'])
  t.same(open.filter(({ question }) => /Norway|postage|export|fails/.test(question)).map(({ question }) => question),
    ['Who pays from Norway?'])
})

t.test('what came out of a discussion is demanded, and a bound that nobody demands is listed', async (t) => {
  const document = compile('Sync\n\nAna showed the flow.\n-> we make the address optional\n' +
    '-> Ben checks with legal\n\nMax. 100 rows per export, larger ones by mail.\n')
  t.same(document.requirements.map(({ statement }) => statement), ['We make the address optional'])
  t.same(document.not_taken?.map(({ quote, class: kind }) => [quote, kind]), [
    ['-> Ben checks with legal', 'unclear'], ['Max. 100 rows per export, larger ones by mail.', 'unclear']
  ])
})

t.test('a story with a line for each part, its criteria and a label below them stand apart', async (t) => {
  const document = compile('US-1 Reset my PIN\nAs a card holder\nI want to reset my PIN\n' +
    'So that I need not wait\n\nAC:\n1) The new PIN has four digits\n' +
    '2) It is blocked after three tries\nDoD: works offline?\n\nNFR\n- no PII in logs\n')
  t.match(document.stories, [{ role: 'a card holder', want: 'reset my PIN' }])
  t.same(document.requirements.map(({ statement }) => statement), [
    'THE SYSTEM SHALL allow a card holder to reset their PIN.', 'The new PIN has four digits',
    'It is blocked after three tries', 'no PII in logs'
  ])
})

t.test('what was taken from an interview is demanded; what is for later is out of scope', async (t) => {
  const document = compile('# Dispatch\n\n## What we take from it\n\n1. Show free drivers.\n' +
    '2. Finding one takes at most a minute.\n\n## Later\n\n- Drivers swap tours\n\n' +
    '## Not now\n\n* Push notifications\n')
  t.same(document.requirements.map(({ statement }) => statement),
    ['THE SYSTEM SHALL show free drivers.', 'Finding one takes at most a minute.'])
  t.same(document.non_goals, ['Drivers swap tours', 'Push notifications'])
})

t.test('German measures bind by what is verpflichtend and zu tun, and by their periods', async (t) => {
  t.same(statementsOf(`# Technische und organisatorische Maßnahmen

Für Administratoren ist ein zweiter Faktor verpflichtend.

Nicht benötigte Konten sind nach 30 Tagen zu deaktivieren.

| Datenart | Aufbewahrung | Danach |
|---|---|---|
| Bewerbungen | 6 Monate | löschen |
`), ['Für Administratoren ist ein zweiter Faktor verpflichtend.',
    'Nicht benötigte Konten sind nach 30 Tagen zu deaktivieren.', 'Bewerbungen: 6 Monate, danach löschen'])
})

t.test('a sheet of requirements is read by its first line and the names above its indented lists', async (t) => {
  const document = compile([source('DS-220 Soil Sensor - Firmware Requirements\n\nPower\n  - Sleep current < 8 uA\n\n' +
    'Radio\n  - LoRaWAN 1.0.4 class A\n', { media_type: 'text/plain' })])
  t.same(document.requirements.map(({ statement, citations: [first] }) => [statement, first?.location]), [
    ['Sleep current < 8 uA', 'input 1 › DS-220 Soil Sensor - Firmware Requirements › Power'],
    ['LoRaWAN 1.0.4 class A', 'input 1 › DS-220 Soil Sensor - Firmware Requirements › Radio']
  ])
})

t.test('the statements of a policy demand, not its purpose and what may follow from it', async (t) => {
  t.same(statementsOf('# Access Policy\n\n## Purpose\n\nThis policy defines who may enter.\n\n' +
    '## Policy statements\n\n1. Every account has exactly one owner.\n\n' +
    '## Enforcement\n\nViolations may lead to disciplinary action.\n'),
  ['Every account has exactly one owner.'])
  t.same(statementsOf('# Retention policy\n\n1. Purpose\nThis policy says how long data is kept.\n\n' +
    '2. Rules\n\nData must be deleted.\n'), ['Data SHALL be deleted.'])
})

t.test('what a person asks for in a mail, and a rule of a design, are listed where nothing demands them', async (t) => {
  const document = compile('# Orders API\n\n## Rate limits\n\n`Retry-After` is always sent.\n\n' +
    '| Field | Description |\n|---|---|\n| sku | must exist in the catalogue |\n\n' +
    '# Mail\n\nAnd please don’t log people out amid a count.\n')
  t.same(document.requirements.map(({ statement }) => statement), ['Sku SHALL exist in the catalogue.'])
  t.same(document.not_taken?.map(({ quote, class: kind }) => [quote, kind]), [
    ['`Retry-After` is always sent.', 'unclear'], ['And please don’t log people out amid a count.', 'unclear']
  ])
})

t.test('German minutes: items divide them, what follows a decision belongs to it, and what is open asks', async (t) => {
  const document = compile('Protokoll, 5.11.\n\nTOP 1: Anmeldung\nHr. Demir berichtet.\nBeschluss: ' +
    'Ein Einmal-Link wird angeboten. Er kann nur einmal benutzt werden.\n\n' +
    'TOP 2: Rechnungen\nKunden sollen Rechnungen laden können.\n' +
    'Offen ist, ob Gutschriften dabei sein müssen.\n')
  t.same(document.requirements.map(({ statement }) => statement), ['Beschluss: Ein Einmal-Link wird angeboten.',
    'Er kann nur einmal benutzt werden.', 'Kunden SOLLEN Rechnungen laden können.'])
  t.ok(document.open_questions.some(({ question }) => question.startsWith('Offen ist, ob Gutschriften')))
})

t.test('a column of M and K says how much a row is wanted, and a bound in words is one', async (t) => {
  const document = compile([source('Nr.;Anforderung;Muss/Kann\n1;Treffer werden sortiert;M\n2;Export nach PDF;K\n',
    { media_type: 'text/csv' })])
  t.same(document.requirements.map(({ statement, priority }) => [statement, priority]),
    [['Treffer werden sortiert', 'P1'], ['Export nach PDF', 'P3']])
  t.same(statementsOf('# Behaviour\n\nChanges show up within one minute.\n\n## Audit\n\nEntries cannot be edited.\n'),
    ['Changes show up within one minute.', 'Entries cannot be edited.'])
})
