import t from '../../../test/tap.js'
import { compile } from '../../spec-engine/test/engine/material.js'
import { blocksOf } from 'steward-document-reader/document'

const kinds = (text: string) => blocksOf(text, 'text/markdown')
  .map(({ kind, start, end }) => `${kind}: ${text.slice(start, end).replace(/\s+/g, ' ')}`)
const statements = (text: string) => compile(text).requirements.map(({ statement }) => statement)
const reasons = (text: string) => (compile(text).not_taken ?? []).map(({ quote, why }) => [quote, why])

const mail = (author: string, sent: string, ...lines: string[]) =>
  [`From: ${author} <x@example.org>`, `Sent: ${sent}`, 'Subject: Doors', '', ...lines, ''].join('\n')

t.test('a mail: header, greeting, signature and disclaimer are no part of what its author wrote', async (t) => {
  const text = mail('Anna Meier', 'Tuesday, June 4, 2024 4:40 PM', 'Hi Jo,', 'doors must lock.', '', 'Best regards,',
    'Anna', 'You must ring twice.', '', 'P.S. Lamps must glow.', '', 'Sent from my phone')
  t.same(kinds(text), ['heading: From: Anna Meier <x@example.org>', 'metadata: Sent: Tuesday, June 4, 2024 4:40 PM',
    'metadata: Subject: Doors', 'metadata: Hi Jo,', 'paragraph: doors must lock.',
    'signature: Best regards,', 'signature: Anna', 'signature: You must ring twice.',
    'paragraph: P.S. Lamps must glow.',
    'signature: Sent from my phone'])
  t.same(compile(text).requirements.map(({ citations }) => citations[0]?.location),
    Array(2).fill('input 1 › Anna Meier, Tuesday, June 4, 2024 4:40 PM'))
  t.same(reasons(text), [['You must ring twice.', 'It stands in a signature or a disclaimer']])
  const notice = 'This message is confidential.\nYou must delete it if you are not the intended recipient.'
  t.same(statements(mail('Anna', '4 June 2024', 'Doors must lock.', '', notice)), ['Doors SHALL lock.'])
})

t.test('the newest decision of a thread of mails wins, whichever stands first', async (t) => {
  const older = mail('Anna', 'Tue, 4 Jun 2024 16:40:00 +0200', 'A session must end after 30 minutes.')
  const newer = mail('Jo', 'Thu, 6 Jun 2024 09:12:00 +0200', 'Decision: a session must end after 15 minutes.')
  const why = 'The message of Jo, Thu, 6 Jun 2024 09:12:00 +0200, decides otherwise'
  for (const text of [older + newer, newer + older]) {
    t.same(statements(text), ['A session SHALL end after 15 minutes.'])
    t.same(reasons(text), [['A session must end after 30 minutes.', why]])
  }
  const undated = [older, newer].map((text) => text.replace(/Sent: .*\n/, '')).join('')
  t.same(statements(undated), ['A session SHALL end after 15 minutes.'])
})

t.test('times of mails are compared in each way of writing them', async (t) => {
  const ways = [['31 May 2024 23:00', '1 June 2024 01:00'],
    ['Freitag, 31. Mai 2024 09:00', 'Montag, 3. Juni 2024 08:00'],
    ['2024-05-31 9:00', '2024-06-01 8:00'], ['31/05/2024 09:00', '01/06/2024 08:00'],
    ['5/31/2024 09:00', '6/13/2024 08:00'],
    ['May 31, 2024 9:00 AM', 'May 31, 2024 1:00 PM'], ['31 mai 2024 à 09:00', '2 juin 2024 à 08:00'],
    ['31 de mayo de 2024 9:00', '1 de junio de 2024 8:00'],
    ['31 May 2024 09:00 +0900', '31 May 2024 08:00 -0400']] as const
  for (const [first, second] of ways) {
    const text = mail('Jo', second, 'Decision: a session must end after 15 minutes.') +
      mail('Anna', first, 'Decision: a session must end after 30 minutes.')
    t.same(statements(text), ['A session SHALL end after 15 minutes.'], second)
  }
})

t.test('a quoted older mail is history, and a decision that points to it has its words', async (t) => {
  const text = ['> The door must stay open for 60 seconds.', 'Let\'s make that 90 seconds.', '',
    'On Fri, 7 Jun 2024 at 17:02, Tom <tom@x.example>', 'wrote:', '> The locker must', '> send a message.'].join('\n')
  const { requirements } = compile(mail('Priya', '10 June 2024', text))
  t.match(requirements, [{
    statement: 'The door SHALL stay open for 90 seconds.',
    rationale: 'Decided by Priya, 10 June 2024: “Let\'s make that 90 seconds.”',
    citations: [{ quote: 'The door must stay open for 60 seconds.' }, { quote: 'Let\'s make that 90 seconds.' }]
  }])
  t.equal(requirements.length, 1)
  const why = 'It quotes an older message'
  t.match(reasons(text), [[/60 seconds/, why], [/The locker must/, why]])
  t.same(statements('On Fri, 7 Jun 2024, Tom wrote:\n\nThe locker must send a message.'),
    ['The locker SHALL send a message.'])
})

t.test('chats: Slack, Teams, WhatsApp and IRC', async (t) => {
  const forms: ((name: string, time: string) => string)[] = [
    (name, time) => `${name}  ${time}\n`, (name, time) => `[${time}] ${name}\n`, (name, time) => `[${time}] ${name}: `,
    (name, time) => `03/06/2024, ${time} - ${name}: `, (name, time) => `${time} <${name}> `,
    (name, time) => `${name}, ${time} PM\n`
  ]
  for (const form of forms) {
    const text = [`${form('Anna', '10:42')}The gate must open within 5 seconds`, ':+1: 2',
      `${form('Ben', '10:50')}Decision: the gate must open within 3 seconds`].join('\n')
    t.same(statements(text), ['The gate SHALL open within 3 seconds.'], form('Anna', '10:42'))
    t.match(reasons(text), [[/5 seconds/, /^The message of Ben, .*10:50.*, decides otherwise$/]])
  }
})

t.test('a decision wins over what it contradicts without a measure', async (t) => {
  const text = mail('Anna', '3 June 2024', 'Der Bericht muss jeden Montag um 8 Uhr verschickt werden.') +
    mail('Jo', '4 June 2024', 'Beschlossen: Der Bericht muss jeden Dienstag um 9 Uhr verschickt werden.')
  t.same(statements(text), ['Der Bericht MUSS jeden Dienstag um 9 Uhr verschickt werden.'])
})

t.test('texts that only look like a thread are none', async (t) => {
  for (const text of ['From: Paris\nTo: Oslo\n\nTrains must run.', 'Best regards,\n\nTrains must run.',
    'Trains start, 10:42\n\nTrains must run.', '```\nFrom: a\nDate: 1 June 2024\n```\n\nTrains must run.']) {
    t.match(statements(text).at(-1), /rains SHALL run/, text)
    t.notOk(blocksOf(text, 'text/markdown').some(({ comment }) => comment), text)
  }
})

t.test('ten thousand messages are read, each once', async (t) => {
  for (const line of ['From: a\nDate: 1 June 2024\n', 'Anna  10:42\n', '> q\nOn 1 June 2024, Jo wrote:\n',
    'From: a\nDate: 1 June 2024\nDecision: let\'s make that 9 seconds.\n']) {
    t.ok(compile(line.repeat(10_000)).title !== '', line)
  }
})
