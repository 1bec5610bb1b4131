import t from '../../../test/tap.js'
import { blocksOf } from 'steward-document-reader/document'

/** @returns who wrote each paragraph */
const said = (text: string) => blocksOf(text, 'text/markdown').filter(({ kind }) => kind === 'paragraph')
  .map(({ start, end, comment }) => [comment?.author, text.slice(start, end)])

const thread = (...heads: string[]) => `# Session timeout

${heads[0]}
A session must end after 60 minutes.

${heads[1]}
> A session must end after 60 minutes.

Decision: a session must end after 30 minutes.

${heads[2]}
Sounds good, thanks.
`

t.test('who wrote each comment is known in threads that people copy from pages of issues', async (t) => {
  for (const text of [
    thread('ada · description · 2024-06-03', 'bo-b · comment · 2024-06-03', 'ada · comment · 2024-06-05'),
    thread('**ada** opened this issue 4 days ago · 2 comments', '**bo-b** commented 3 days ago',
      '**ada** commented yesterday'),
    thread('ada commented on 3 Jun 2024', '@bo-b replied on 4 Jun 2024', 'ada commented on 5 Jun 2024'),
    thread('### Comment by ada, 2024-06-03', '### Comment by bo-b, 2024-06-04', '### Comment by ada, 2024-06-05'),
    thread('ada | 2024-06-03 | comment', 'bo-b | 2024-06-04 | comment', 'ada | 2024-06-05 | comment')
  ]) {
    t.same(said(text), [['ada', 'A session must end after 60 minutes.'],
      ['bo-b', 'Decision: a session must end after 30 minutes.'], ['ada', 'Sounds good, thanks.']])
  }
})

t.test('prose with such words is no thread', async (t) => {
  const text = 'The board commented on it on 3 June. Doors must lock.\n\nAda wrote it in 2024.'
  t.same(said(text).map(([author]) => author), [undefined, undefined])
})
