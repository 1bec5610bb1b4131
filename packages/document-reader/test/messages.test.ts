import t from '../../../test/tap.js'
import { blocksOf } from 'steward-document-reader/document'

const kinds = (text: string) => blocksOf(text, 'text/markdown')
  .map(({ kind, start, end }) => `${kind}: ${text.slice(start, end).replace(/\s+/g, ' ')}`)

/** @returns who wrote each paragraph, the oldest first */
const said = (text: string) => blocksOf(text, 'text/markdown').filter(({ kind }) => kind === 'paragraph')
  .toSorted((one, other) => (one.comment?.rank ?? 0) - (other.comment?.rank ?? 0))
  .map(({ start, end, comment }) => [comment?.author, text.slice(start, end)])

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
  const notice = 'This message is confidential.\nYou must delete it if you are not the intended recipient.'
  t.same(said(mail('Anna', '4 June 2024', 'Doors must lock.', '', notice)), [['Anna', 'Doors must lock.']])
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
    const text = mail('Jo', second, 'It must end after 15 minutes.') + mail('Anna', first, 'It must end after 30 minutes.')
    t.same(said(text).map(([author]) => author), ['Anna', 'Jo'], second)
  }
})

t.test('a quoted older mail is apart from what its reader answers', async (t) => {
  const text = ['> The door must stay open for 60 seconds.', 'Let\'s make that 90 seconds.', '',
    'On Fri, 7 Jun 2024 at 17:02, Tom <tom@x.example>', 'wrote:', '> The locker must', '> send a message.'].join('\n')
  t.match(kinds(mail('Priya', '10 June 2024', text)).slice(3), ['older: The door must stay open for 60 seconds.',
    'paragraph: Let\'s make that 90 seconds.', /^metadata/, /^metadata/, /^older: The locker must/])
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
    t.same(said(text), [['Anna', 'The gate must open within 5 seconds'],
      ['Ben', 'Decision: the gate must open within 3 seconds']], form('Anna', '10:42'))
  }
})

t.test('texts that only look like a thread are none', async (t) => {
  for (const text of ['From: Paris\nTo: Oslo\n\nTrains must run.', 'Best regards,\n\nTrains must run.',
    'Trains start, 10:42\n\nTrains must run.', '```\nFrom: a\nDate: 1 June 2024\n```\n\nTrains must run.']) {
    t.notOk(blocksOf(text, 'text/markdown').some(({ comment }) => comment), text)
  }
})

t.test('ten thousand messages are read, each once', async (t) => {
  for (const line of ['From: a\nDate: 1 June 2024\n', 'Anna  10:42\n', '> q\nOn 1 June 2024, Jo wrote:\n',
    'From: a\nDate: 1 June 2024\nDecision: let\'s make that 9 seconds.\n']) {
    t.ok(blocksOf(line.repeat(10_000), 'text/markdown').length >= 10_000, line)
  }
})
