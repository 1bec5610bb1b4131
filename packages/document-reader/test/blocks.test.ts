import t from '../../../test/tap.js'
import { blocksOf } from '../src/document/read-blocks.js'
import { sentencesOf } from '../src/document/sentences.js'

const kinds = (text: string, type = 'text/markdown') =>
  blocksOf(text, type).map(({ kind, start, end }) => `${kind}: ${text.slice(start, end).replace(/\s+/g, ' ')}`)

t.test('Markdown: front matter, quotes, tables, scenarios, footnotes and code are different blocks', async (t) => {
  const text = ['---', 'owner: x', '---', '# A', '', '> said', '', '**Bold**', '', 'Scenario: s', 'Given a', 'When b',
    '', '[^1]: note', '', 'a | b', '--|--', '1 | 2', '', '    code', '', '- [ ] item', '  goes on'].join('\n')
  t.same(kinds(text), ['metadata: owner: x', 'heading: # A', 'quote: said', 'heading: **Bold**',
    'metadata: Scenario: s',
    'step: Given a', 'step: When b', 'footnote: note', 'row: a | b', 'row: --|--', 'row: 1 | 2', 'code: code',
    'item: item goes on'])
})

t.test('plain text: what pages repeat is no part of a sentence that they divide', async (t) => {
  const text = ['   A server MUST set', '   the value to', '', 'Sander        Standards Track      [Page 1]', '',
    'RFC 9911        Hints        March 2025', '', '   5 seconds.', '',
    'Sander        Standards Track      [Page 2]'].join('\n')
  t.same(sentencesOf(text, 'text/plain').map((one) => one.text), ['A server MUST set the value to 5 seconds.'])
  t.same(sentencesOf('The gate counts ve-\nhicles in real-\ntime.', 'text/plain').map((one) => one.text),
    ['The gate counts vehicles in real-time.'])
})

t.test('lines that each demand something are sentences without full stops; one that goes on is one', async (t) => {
  const sentences = (text: string) => sentencesOf(text, 'text/plain').map((one) => one.text)
  const list = ['The door must open', 'Die Lampe muss leuchten', 'La porte doit fermer', 'El timbre debe sonar']
  t.same(sentences(list.join('\n')), list)
  t.same(sentences('The door must open. Lamps must glow\nBells must ring.'),
    ['The door must open.', 'Lamps must glow', 'Bells must ring.'])
  const wrapped = ['The clerk must ask the\nCommission that must answer', 'The clerk must ask for it\nBefore noon',
    'The clerk must ask\nand the office must answer']
  for (const one of wrapped) t.same(sentences(one), [one.replace('\n', ' ')])
})

t.test('reStructuredText: headings, directives, literal blocks, tables and comments', async (t) => {
  const text = ['PEP: 1', 'Title: T', '', 'Part', '====', '', 'It is so::', '', '    code', '',
    '.. code-block:: python', '',
    '   more()', '', '.. note::', '', '   A note.', '', '.. comment', '', '====  ====', 'Name  Rule', '====  ====',
    'a     b', '====  ====', '', '* item'].join('\n')
  t.same(kinds(text, 'text/x-rst'), ['metadata: PEP: 1', 'metadata: Title: T', 'heading: Part', 'paragraph: It is so::',
    'code: code', 'code: .. code-block:: python more()', 'metadata: .. note::',
    'paragraph: A note.', 'metadata: .. comment', 'row: Name Rule',
    'row: a b', 'item: item'])
})

t.test('comma-separated values: quotes, semicolons and line breaks in cells', async (t) => {
  const rows = blocksOf('Id;Text\n1;"a; ""b""\nc"\n2;d', 'text/csv').map(({ row }) => row)
  t.same(rows.map((row) => [row?.header, row?.cells.length]),
    [[undefined, 2], [['Id', 'Text'], 2], [['Id', 'Text'], 2]])
})

t.test('comma-separated values among other text are a table until a blank line', async (t) => {
  const rows = (text: string) => blocksOf(text, 'text/markdown').filter(({ row }) => row)
    .map(({ row, start, end }) => [row?.header?.length, text.slice(start, end)])
  t.same(rows('The sheet:\n\nID;Requirement\n1;"It shall\nstop; then start"\n2;It shall go\n\nWe must ask, at once.'),
    [[undefined, 'ID;Requirement'], [2, '1;"It shall\nstop; then start'], [2, '2;It shall go']])
  t.same(rows('Name\tMeaning\nDoor\tA door').length, 2)
  t.same(rows('ID,Requirement,Prio\n1,It shall stop,high').length, 2)
  const others = ['Rules, needs,\nand more, they must be kept.', 'Requirements, ids:\na, b', 'ID, Requirement\n\nx']
  for (const prose of others) {
    t.same(rows(prose), [], prose)
  }
})

t.test('ten thousand headings, rows or quotes are read, each once', async (t) => {
  for (const line of ['# A', '| a | b |', '> q', '- i', 'Given a', '[^1]: x', 'A:', '1.1 The a']) {
    t.equal(blocksOf(`${line}\n`.repeat(10_000), 'text/markdown').length > 0, true, line)
  }
})

t.test('scenarios that an issue has in a block of code are read', async (t) => {
  const text = '# Export\n\n```gherkin\nFeature: Export\n\n  Scenario: As CSV\n    Given a table\n' +
    '    When Ada exports it\n    Then the system should write a file\n```\n\nThe file must be small.\n'
  t.same(blocksOf(text, 'text/markdown').map(({ kind }) => kind),
    ['heading', 'metadata', 'heading', 'metadata', 'step', 'step', 'step', 'metadata', 'paragraph'])
})

t.test('the anchor of a heading is no part of its name', async (t) => {
  const [heading] = blocksOf('# Server behaviour {#server}\n\nIt must close.\n', 'text/markdown')
  t.same(heading?.headings, ['Server behaviour'])
})

t.test('what is struck out by one mark or two is no part of its sentence', async (t) => {
  const sentences = (text: string) => sentencesOf(text, 'text/markdown').map((one) => [one.text, one.isStruck])
  t.same(sentences('Pay by card or ~PayPal~ Google Pay.\n\n~The lamp must glow.~\n\n~~Bells must ring.~~'), [
    ['Pay by card or Google Pay.', undefined], ['The lamp must glow.', true], ['Bells must ring.', true]
  ])
  const kept = 'About ~5 and ~6 doors in ~/doors, that is ~5-~6, must open.'
  t.same(sentences(kept), [[kept, undefined]])
})
