import t from '../../../../test/tap.js'
import { chunkInput } from '../../src/engine/chunk.js'
import { sentencesOf } from 'steward-document-reader/document'
import { brief } from './brief.js'
import { inputId } from './material.js'

const id = inputId(1)
const chunk = (text: string, mediaType = 'text/markdown') => chunkInput(id, text, mediaType)

const texts: [string, string][] = [
  ['a brief', brief],
  ['a long brief', brief.repeat(20)],
  ['one long line', 'word '.repeat(10_000)],
  ['one word', 'x'.repeat(20_000)],
  ['emoji', '🚀'.repeat(8_000)],
  ['blanks in front', `${' '.repeat(50_000)}x`],
  ['an open fence', `\`\`\`\n${'code\n'.repeat(5_000)}`]
]

for (const [name, text] of texts) {
  t.test(`the chunks of ${name} cover the whole text, in order and within the size limit`, async (t) => {
    const chunks = chunk(text)
    t.equal(chunks.map(({ char_start, char_end }) => text.slice(char_start, char_end)).join(''), text)
    t.same(chunks.map(({ chunk_id }) => chunk_id), chunks.map((_, at) => `${id}#${at + 1}`))
    t.ok(chunks.every(({ token_estimate }) => token_estimate <= 3_000))
    t.ok(chunks.every(({ char_start, char_end }) => text.slice(char_start, char_end).isWellFormed()))
    t.same(chunk(text), chunks)
  })
}

t.test('headings divide chunks, and each chunk has the path of its headings', async (t) => {
  const section = (title: string) => `## ${title}\n\n${'Some words about it. '.repeat(120)}\n\n`
  const chunks = chunk(`# Top\n\n${section('One')}${section('Two')}`)
  t.same(chunks.map(({ heading_path: path }) => path), [['Top'], ['Top', 'Two']])
  t.same(chunk(''), [])
  t.same(chunk(' \n '), [])
})

/** Nothing is lost: what is no prose has its kind. */
const aside = new Set(['heading', 'code', 'row', 'metadata'])
const proseOf = (text: string, mediaType: string) =>
  sentencesOf(text, mediaType).filter(({ block }) => !aside.has(block.kind))
const sentences = (text: string, mediaType = 'text/markdown') =>
  proseOf(text, mediaType).map((sentence) => sentence.text)

t.test('text is divided into sentences', async (t) => {
  t.same(sentences('It costs 4.20 EUR, e.g. today. Fine! Really?! Yes'),
    ['It costs 4.20 EUR, e.g. today.', 'Fine!', 'Really?!', 'Yes'])
  t.same(sentences('One\nsentence over\r\nlines.'), ['One sentence over lines.'])
  t.same(sentences('- a **bold** [link](https://x.y/z) and `code`\n  that goes on\n- b'),
    ['a bold link and code that goes on', 'b'])
  t.same(sentences('> quoted\n> words'), ['quoted words'])
  t.same(sentences('---\ntitle: x\n---\nText.'), ['Text.'])
  t.same(sentences('Heading\n=======\n\nText.\n\n```\nThe code must not count.\n```\n\n| a | b |\n'), ['Text.'])
  t.same(sentencesOf('# A\n\n```\nlet it = 1\n```', 'text/markdown').map(({ text, block }) => [block.kind, text]),
    [['heading', 'A'], ['code', '```'], ['code', 'let it = 1'], ['code', '```']])
  t.same(sentences('{"a": "It must."}', 'application/json'), [])
})

t.test('each sentence has its headings, also in plain text', async (t) => {
  const paths = (text: string, mediaType = 'text/markdown') =>
    proseOf(text, mediaType).map(({ headings }) => headings)
  t.same(paths('# A\n\n## B\n\nx.\n\n# C\n\ny.'), [['A', 'B'], ['C']])
  t.same(paths('Goals:\n\n- one\n\nOPEN QUESTIONS\n\nWhy?', 'text/plain'), [['Goals'], ['OPEN QUESTIONS']])
})
