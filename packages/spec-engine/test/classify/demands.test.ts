import t from '../../../../test/tap.js'
import { compile, inputId, source } from '../engine/material.js'

const statements = (text: string) => compile(text).requirements.map(({ statement }) => statement)
const listed = (text: string) => (compile(text).not_taken ?? []).map(({ class: kind, quote }) => [kind, quote])
const deletes = 'The system must delete records after 30 days.'

t.test('C1: a demand is one under any heading', async (t) => {
  for (const heading of ['Background', 'Roles', 'Risks', 'Success metrics', 'Terms', 'Goals', 'Summary', 'Notes']) {
    t.same(statements(`# ${heading}\n\n${deletes}`), ['THE SYSTEM SHALL delete records after 30 days.'], heading)
  }
})

t.test('C2: tables, Word\'s bold headings and steps as bullets are read', async (t) => {
  const table =
    '| ID | Requirement | Prio |\n|---|---|---|\n| R1.1 | The door shall open. | M |\n| R1.2 | shall close | M |'
  const { requirements } = compile(table)
  t.same(requirements.map(({ source_ids: ids, statement }) => [ids, statement]),
    [[['R1.1'], 'The door SHALL open.'], [['R1.2'], 'R1.2 SHALL close.']])
  const rows = 'Id,Text\nK-1,"The kiosk shall print, then cut."\nK-2,It stands in the hall.'
  t.same(compile([source(rows, { media_type: 'text/csv' })]).requirements.map(({ source_ids: ids }) => ids),
    [['K-1'], ['K-2']])
  const steps = 'The door must open.\n\n- Given a closed door\n- When a code is entered\n- Then the door opens'
  t.match(compile(steps).requirements[0]?.acceptance, [{ given: 'a closed door', then: 'the door opens' }])
})

t.test('C3: keywords of RFC 2119 in capitals count wherever they stand', async (t) => {
  t.same(compile('# Background\n\nA client MAY retry. A token is REQUIRED. TLS is RECOMMENDED.').requirements
    .map(({ level }) => level), ['MAY', 'MUST', 'SHOULD'])
})

t.test('C5: what is the case today, what would be and what was not chosen is no demand', async (t) => {
  const text = ['Records can be deleted using curl today.', 'This would need to be clearly communicated.',
    'Users must restart the server by hand today.', '> The door must sing.', '"It must be red", said the guard.',
    'For example, a door must open in 3 s.', 'A job that failed must start again from the beginning at present.']
  t.same(text.flatMap((one) => statements(one)), [])
  t.same(text.flatMap(listed).map(([kind]) => kind),
    ['rationale', 'rationale', 'quotation', 'quotation', 'example', 'rationale'])
  t.same(statements('# Alternatives\n\nThe system MUST use a queue.'), [])
  t.same(statements('Doors must sing. This was not adopted.'), [])
  t.same(listed('Doors must sing. This was not adopted.'), [['alternative', 'Doors must sing.']])
})

t.test('every sentence with a normative verb is a requirement or listed with location and reason', async (t) => {
  const text = '# Plan\n\n## Alternatives\n\nWe must buy it.\n\n```\nIt must not count.\n```\n'
  const { not_taken: list = [] } = compile([source(text, { label: 'plan.md' })])
  t.same(list.map(({ location, class: kind, why }) => [location, kind, why]), [
    ['plan.md › Plan › Alternatives › line 5', 'alternative', 'Its section lists what was not chosen'],
    ['plan.md › Plan › Alternatives › line 8', 'example', 'It stands in a block of code']
  ])
  for (const { char_start: start, quote } of list) t.ok(text.startsWith(quote, start))
})

t.test('in a thread the newest decision wins', async (t) => {
  const thread = ['# Sessions', 'A session must end after 30 minutes of inactivity.',
    '# Comment by ann, 2025-03-04T12:00:00Z',
    'Decision: a session must end after 45 minutes of inactivity.'].join('\n\n')
  t.same(statements(thread), ['A session SHALL end after 45 minutes of inactivity.'])
  t.match(compile(thread).not_taken, [{ class: 'history', why: /^The comment of ann, 2025-03-04.* decides otherwise$/ }])
})

t.test('what a proposal says of itself, of work elsewhere and of what follows is no demand', async (t) => {
  const sentences: [string, string[]][] = [
    ['This behavior needs to be adjusted: https://example.com/issues/3676.', ['task']],
    ['Doors need to be adjusted each week.', []],
    ['Alarms have to be sent to: https://example.com/alarms', []],
    ['These hints will indicate where an endpoint should be used.', ['rationale']],
    ['Doors must be locked where a lamp should glow.', []],
    ['The share of doors that should be locked will change.', ['rationale']],
    ['Doors that should be locked must glow.', []]
  ]
  for (const [text, classes] of sentences) {
    const document = compile(text)
    t.same((document.not_taken ?? []).map(({ class: kind }) => kind), classes, text)
    t.equal(document.requirements.length, 1 - classes.length, text)
  }
  t.same(statements('However, we decided on an alternative that needs no fields.'), [])
  t.same(statements('We decided on a key for each door and hook.').length, 1)
  const answers = '# Monitoring requirements\n\n- None that I can think of.\n' +
    '- This is largely related to old slices.\n- None of the doors opens at night.\n'
  t.same(statements(answers), ['None of the doors opens at night.'])
})

t.test('inputs that contradict each other become a question, and its answer decides', async (t) => {
  const inputs = [source('A session must end after 15 minutes.', { label: 'a.md' }),
    source('A session must end after 30 minutes.', { label: 'b.md', seq: 2 })]
  const first = compile(inputs)
  const question = first.open_questions.find(({ about }) => about === 'contradiction')
  t.match(question, { blocking: true, question: /15 minutes\.” \(a\.md\) and .*30 minutes\.” \(b\.md\) contradict/ })
  const answer = source('A session must end after 30 minutes.', {
    seq: 3, kind: 'answer', about: { question_id: question?.id ?? '' }
  })
  const second = compile([...inputs, answer], { base: first, version: 2 })
  t.same(second.requirements.map(({ statement }) => statement), ['A session SHALL end after 30 minutes.'])
  t.match(second.open_questions.find(({ id }) => id === question?.id), { status: 'answered' })
})

t.test('C4: an answered blocking question gives its requirement, which says so', async (t) => {
  const text = 'The system must refuse more than TBD.'
  const first = compile(text)
  t.same([first.requirements, first.open_questions[0]?.blocking], [[], true])
  const answer = source('20 requests per minute.', { seq: 2, kind: 'answer', about: { question_id: 'Q-1' } })
  const { requirements, open_questions: questions } = compile([source(text), answer], { base: first, version: 2 })
  t.match(requirements, [{
    statement: 'THE SYSTEM SHALL refuse more than 20 requests per minute.',
    rationale: 'Q-1 was answered: “20 requests per minute”'
  }])
  t.same(requirements[0]?.citations.map(({ input_id: id }) => id), [inputId(1), inputId(2)])
  t.match(questions[0], { id: 'Q-1', status: 'answered' })
})

t.test('German, French and Spanish are read in an English session; other languages are refused plainly', async (t) => {
  t.same(statements('Die Station muss den Strom messen und darf ihn nicht sperren, wenn die Karte fehlt.'),
    ['Die Station MUSS den Strom messen und darf ihn nicht sperren, wenn die Karte fehlt.'])
  t.same(statements('Le guichet doit accepter les demandes dans les deux jours.'),
    ['Le guichet DOIT accepter les demandes dans les deux jours.'])
  t.same(statements('El sistema debe regar entre las diez y las once de la noche.'),
    ['El sistema DEBE regar entre las diez y las once de la noche.'])
  const italian = compile(
    'Il sistema deve essere sempre disponibile per gli utenti della rete e non deve perdere dati.')
  t.match(italian.open_questions[0], { about: 'language', blocking: true, question: /^Input 1 is in a language/ })
})

t.test('“may” demands in a list whose item before demands, and “we need” where a speaker says it', async (t) => {
  const list = '# Proposal\n\n1. The agent must trim its cache.\n2. Old entries may be archived.\n'
  t.same(compile(list).requirements.map(({ level }) => level), ['MUST', 'MAY'])
  t.same(statements('# Proposal\n\n1. The agent trims its cache.\n2. Old entries may be archived.\n'), [])
  t.same(statements('# Motivation\n\n- The daemon must trim its cache.\n- Users may be annoyed.\n').length, 1)
  t.same(statements('Ada: and we need a log of all visits.'), ['We need a log of all visits.'])
  t.same(statements('We need a log of all visits.'), [])
  t.same(statements('Ada: do we need a log of all visits?'), [])
})

t.test('the future tense of Spanish and French demands as the present does', async (t) => {
  t.same(statements('El sistema deberá guardar los datos de la caja. No podrá borrarlos en un año.'),
    ['El sistema DEBERÁ guardar los datos de la caja.', 'NO PODRÁ borrarlos en un año.'])
  t.same(statements('Le guichet devra imprimer un reçu pour les visiteurs. Les visiteurs ne devront pas attendre.'),
    ['Le guichet DEVRA imprimer un reçu pour les visiteurs.', 'Les visiteurs NE DEVRONT PAS attendre.'])
  t.same(compile('El sistema DEBERÁ abrir la puerta en la noche.').requirements.map(({ level }) => level), ['MUST'])
  const list = '# Suivi\n\nLa borne devra conserver :\n\n* La date de la visite\n* Le nom de la porte\n'
  t.same(statements(list),
    ['La borne DEVRA conserver La date de la visite', 'La borne DEVRA conserver Le nom de la porte'])
})

t.test('stories in German, French and Spanish are stories with roles', async (t) => {
  const stories = (text: string) => compile(text).stories.map(({ role, want, so_that: so }) => [role, want, so])
  t.same(stories('- User Story 1: „Als Kurier möchte ich die Tür mit dem Handy öffnen, damit ich nicht warte.“'),
    [['Kurier', 'die Tür mit dem Handy öffnen', 'ich nicht warte']])
  t.same(stories('- En tant que livreur, je veux ouvrir la porte afin de gagner du temps.'),
    [['livreur', 'ouvrir la porte', 'gagner du temps']])
  t.same(stories('- Como docente, quiero ver la lista de las salas, para saber cuál está libre.'),
    [['docente', 'ver la lista de las salas', 'saber cuál está libre']])
})

t.test('a table of contents and what stands below a question or a long title are no requirements', async (t) => {
  const toc = '# Features\n\n- [Release Signoff Checklist](#release-signoff)\n- The door closes by itself at night\n'
  t.same(statements(toc), ['The door closes by itself at night'])
  t.same(statements('# Proposal 12: a quieter pump for better performance\n\n- Pumps of this kind are old\n'), [])
  t.same(statements('# Requirements\n\n## How can someone see that it works?\n\n- Metric name: pump_starts\n'), [])
  t.same(statements('# Risks\n\n## Scenario 1. People turn the pump off for good\n\nThe pump never ends.\n'), [])
  t.same(statements('# Historique et traçabilité\n\nLa borne doit conserver les visites pour un an.\n').length, 1)
})

t.test('“used to”, a condition in the past and “when” inside a subject set no demand aside', async (t) => {
  t.same(statements('The key that is used to open the door must be changed each year.').length, 1)
  t.same(statements('Cards used to be enough and guards should look away.'), [])
  t.same(statements('If the lamp was previously off, it must glow within 2 seconds.').length, 1)
  t.same(statements('Hence the state when the pump is installed should be off.').length, 1)
  t.same(statements('The data need to be copied.').length, 1)
  t.same(statements('There is no need to copy the data.'), [])
})

t.test('“required to” is listed wherever it makes no requirement', async (t) => {
  const { requirements, not_taken: list = [] } = compile('```\n// Required to be unique in the town.\n```\n')
  t.same([requirements.length, list.map(({ class: kind }) => kind)], [0, ['boilerplate']])
})

t.test('what a plan says of its tests, later stages and roll-out is no demand by may and will', async (t) => {
  const will = 'The kubelet will restart the container.'
  const should = 'Containers should start in order.'
  t.same(statements(`# Proposal\n\n${will}`).length, 1)
  for (const heading of ['Test Plan', 'Future work', 'Cons', 'Queue vs. Table']) {
    t.same(statements(`# Plan\n\n## ${heading}\n\n### Details\n\n${will} ${should}`), [], heading)
  }
  for (const heading of ['Upgrade / Downgrade Strategy', 'Version Skew Strategy', 'Graduation Criteria']) {
    t.same(statements(`# Design\n\n## ${heading}\n\n${will} ${should}`).map((one) => one.includes('SHOULD')), [true],
      heading)
  }
  t.same(statements(`# Risks\n\n## Scenario 2\n\nUsers may abuse it. ${deletes}`).length, 1)
})

t.test('what is foretold, expected, possible or noted in brackets is no demand', async (t) => {
  const quiet = ['The formula will change.', 'A separate KEP will enable it.', 'The impact should be negligible.',
    'The value may not represent what is in use.', 'Labels: code, type (should be init).',
    'It needs to be carefully reviewed.', 'Cons: it must be learnt.',
    'This is the change you need to do by hand.']
  for (const text of quiet) t.same(statements(`# Design\n\n${text}`), [], text)
  t.same(statements('# Design\n\nUsers may not delete records.').length, 1)
})

t.test('a story among alternatives is none, and beside stories only people and the product can', async (t) => {
  t.same(statements('# Alternatives\n\nAs a courier, I want to open the door.'), [])
  t.same(statements('# User stories\n\nMemory can be swapped out. Users can cancel an order.').length, 1)
})

t.test('numbers that a person typed make a list, and a German catalogue demands as it stands', async (t) => {
  t.same(statements('# Requirements\n\n1 - Screen refresh within 2 seconds\n\n2- Data in encrypted form').length, 2)
  const german = '# Lastenheft\n\n## Buchung\n\nJede Buchung kann eine Notiz tragen. Das ist schön und gut.'
  t.same(statements(german).length, 1)
})

t.test('a consequence is no story, and what we can see, wonder about or need to is no demand', async (t) => {
  for (const text of ['As a result of this query we can see 5 projects, so we can\'t require that builds fail.',
    'As a consequence we can drop the table.', 'We can therefore see that doors open.',
    'I\'m wondering why doors should open at night.', 'Unless we really need to.',
    'Developers of tools will need to know the rules.', 'May 2025', 'Published in May 2025.']) {
    t.same(statements(`# Rationale\n\n${text}`), [], text)
    t.same(compile(text).stories, [], text)
  }
  t.same(statements('As a resident, I can open the door.').length, 1)
})

t.test('French and Spanish demand in the future where requirements stand, in the source\'s own words', async (t) => {
  const french = '# Guichet\n\n## Fonctionnalités\n\nLe système enverra un reçu. Les factures seront archivées 10 ans.'
  t.same(statements(french), ['Le système enverra un reçu.', 'Les factures seront archivées 10 ans.'])
  const context = french.replace('Fonctionnalités', 'Contexte')
  t.same(statements(context), [])
  t.same(listed(context).length, 2, 'what is not taken of it is listed')
  const list = '# Guichet\n\nLes lampes sont dans la rue.\n\n## Sécurité\n\nUn rapport permettra d\'identifier :\n\n'
  t.same(statements(`${list}- les lampes en panne`),
    ['Un rapport permettra d\'identifier les lampes en panne'])
  t.same(statements('# Caja\n\n## Funcionalidades\n\nEl sistema enviará un recibo. El cajero está de turno.'),
    ['El sistema enviará un recibo.'])
  t.same(statements('# Guichet\n\n## Sécurité\n\nLe mot de passe reste à définir.'), [])
})

t.test('what a catalogue says to verify is a demand, under any heading but those that explain', async (t) => {
  const control = 'Verify that passwords are stored hashed.'
  t.same(statements(`# Storage\n\n${control}`), [control])
  t.same(statements(`# Plan\n\n## Test plan\n\n${control}`), [])
  t.same(statements(`# Plan\n\n## Risks\n\n${control}`), [])
})

t.test('a demand with an id of its own is one even where the heading above it was not read', async (t) => {
  const named = '[R4.1.3-1] The page should show a link.\n[R4.1.3-2] It should open'
  t.same(statements(`# References\n\nIEEE 830.\n\n${named}`),
    ['The page SHOULD show a link.', 'It should open'])
  t.same(statements('# References\n\nThe reader should know RFC 793.'), [])
})

t.test('numbered headings with a tab are headings, though text follows at once', async (t) => {
  const { requirements } = compile(
    'Sources\n4.\tSystem Features\n4.1\tLanding page\n4.1.1\tFunctional Requirements\nThe page must open.\n' +
    '1.\tA lamp\n2.\tA bell')
  t.match(requirements[0]?.citations[0]?.location,
    /4\. ?System Features|4 System Features › 4\.1 Landing page › 4\.1\.1 Functional Requirements/)
  t.notMatch(requirements.map(({ statement }) => statement).join(), /4\.1/)
})

t.test('an item that opens a list below it is one demand with what the list says', async (t) => {
  t.same(statements('# Requirements\n\n- The export has these columns:\n  - number of the door\n' +
    '  - time of the visit\n- A lamp for each door'), [
    'The export has these columns: number of the door; time of the visit',
    'A lamp for each door'])
})

t.test('a name demands with its target, and values of comma-separated files have single quotation marks', async (t) => {
  const table = '| ID | Requirement | Target |\n|---|---|---|\n| N1 | Time to answer | < 200 ms |'
  t.same(statements(`${table}\n| N2 | Daily backups | |`),
    ['Time to answer: < 200 ms', 'Daily backups'])
  const rows = 'Id,Requirement\nK-1,"The kiosk shall show ""Welcome"" at 8."'
  const { requirements } = compile([source(rows, { media_type: 'text/csv' })])
  t.same(requirements.map(({ statement }) => statement), ['The kiosk SHALL show "Welcome" at 8.'])
})
