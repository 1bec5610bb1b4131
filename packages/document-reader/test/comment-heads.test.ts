import t from '../../../test/tap.js'
import { compile } from '../../spec-engine/test/engine/material.js'

const statements = (text: string) => compile(text).requirements.map(({ statement }) => statement)

const thread = (...heads: string[]) => `# Session timeout

${heads[0]}
A session must end after 60 minutes.

${heads[1]}
> A session must end after 60 minutes.

Decision: a session must end after 30 minutes.

${heads[2]}
Sounds good, thanks.
`

t.test('the newest decision wins in threads that people copy from pages of issues', async (t) => {
  for (const text of [
    thread('ada · description · 2024-06-03', 'bo-b · comment · 2024-06-03', 'ada · comment · 2024-06-05'),
    thread('**ada** opened this issue 4 days ago · 2 comments', '**bo-b** commented 3 days ago',
      '**ada** commented yesterday'),
    thread('ada commented on 3 Jun 2024', '@bo-b replied on 4 Jun 2024', 'ada commented on 5 Jun 2024'),
    thread('### Comment by ada, 2024-06-03', '### Comment by bo-b, 2024-06-04', '### Comment by ada, 2024-06-05'),
    thread('ada | 2024-06-03 | comment', 'bo-b | 2024-06-04 | comment', 'ada | 2024-06-05 | comment')
  ]) {
    t.same(statements(text), ['A session SHALL end after 30 minutes.'])
    t.match(compile(text).not_taken?.map(({ why }) => why),
      [/^The message of bo-b.* decides otherwise$/, 'It quotes an older message'])
  }
})

t.test('a thread that stands newest first is read so, also of one day', async (t) => {
  t.same(statements(`# Doors

ada · comment · 2024-06-05
Decision: the door must close after 10 seconds.

bob · comment · 2024-06-05
The door must close after 20 seconds.

ada · description · 2024-06-03
Doors stay open.
`), ['The door SHALL close after 10 seconds.'])
})

t.test('a citation names who wrote a comment, and "let’s start with" decides', async (t) => {
  const [one] = compile('# Retry\n\nbob · comment · 2023-03-01\nLet\'s start with 10 s as the delay.\n').requirements
  t.same([one?.statement, one?.citations[0]?.location],
    ['Let\'s start with 10 s as the delay.', 'input 1 › bob, 2023-03-01'])
})

t.test('prose with such words is no thread', async (t) => {
  const text = 'The board commented on it on 3 June. Doors must lock.\n\nAda wrote it in 2024.'
  t.same(statements(text), ['Doors SHALL lock.'])
})
