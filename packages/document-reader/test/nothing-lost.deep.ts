import fc from 'fast-check'
import t from '../../../test/tap.js'
import { readCsv } from '../src/document/csv-tables.js'
import { blocksOf } from '../src/document/read-blocks.js'
import { sentencesOf } from '../src/document/sentences.js'

const words = fc.array(fc.constantFrom('door', 'Door', 'must', 'shall', 'The', 'open', 'when', 'e.g.', 'No.', '5', '1,200',
  'Tür', 'où', '**bold**', '`code`', '~~struck~~', '[link](#a)', '<b>x</b>', 'A&B', '->', 'REQ-12', '?', '“quoted”', '門'),
{ minLength: 1, maxLength: 9 })
const line = words.map((list) => list.join(' '))
const sentence = fc.tuple(line, fc.constantFrom('.', '!', '?', ':', ';', '', ' …')).map(([text, end]) => text + end)
const marks = ['', '- ', '* ', '1. ', '- [ ] ', '- [x] ', '> ', '> > ', '## ', '### REQ-1 ', '    ', '\t', 'Given ', 'When ', 'Then ',
  'Scenario: ', 'Feature: ', '[^1]: ', 'Note: ', '**Note**: ', '-> ', 'As a guard, I want ', '<ada> ', '[12:30] ada: ', ': ',
  '.. note:: ', '.. req:: ', '   :id: ', '.. ', ':::{note} ', '# Comment by ada, 2026-01-01T00:00:00Z', '10:15 Ada: ']
const marked = fc.tuple(fc.constantFrom(...marks), sentence).map((parts) => parts.join(''))
const row = fc.array(line, { minLength: 2, maxLength: 4 }).map((cells) => `| ${cells.join(' | ')} |`)
const table = fc.tuple(row, fc.array(row, { maxLength: 3 })).map(([head, rows]) =>
  [head, head.replace(/[^|]+/g, '---'), ...rows].join('\n'))
const opening = fc.constantFrom('```', '~~~', '```gherkin', '```{req} T', '```js')
const fence = fc.tuple(opening, fc.array(sentence, { maxLength: 3 }), fc.boolean())
  .map(([open, lines, closes]) => [open, ...lines, ...(closes ? [open.slice(0, 3)] : [])].join('\n'))
const html = sentence.map((text) => `<details><summary>${text}</summary>\n\n${text}\n\n</details>`)
const record = fc.array(line, { minLength: 3, maxLength: 3 }).map((cells) => cells.map((cell) => `"${cell}"`).join(','))
const csv = fc.array(record, { minLength: 2, maxLength: 4 }).map((rows) => rows.join('\n'))
const rst = sentence.map((text) => `${text}\n${'='.repeat(text.length + 4)}`)
const front = line.map((text) => `---\nowner: ${text}\n---`)
const piece = fc.oneof(marked, marked, sentence, table, fence, html, csv, rst, front)
const document = fc.array(fc.tuple(piece, fc.constantFrom('\n', '\n\n', '\n\n\n', '\r\n', ' \n')), { minLength: 1, maxLength: 14 })
  .map((parts) => parts.flat().join(''))

const types = ['text/markdown', 'text/plain', 'text/x-rst', 'text/x-gherkin', 'text/csv', 'text/html', 'application/pdf']

/** @returns the words of a text that stand in none of the ranges, with what is around them */
const lost = (text: string, ranges: readonly { start: number, end: number }[]): string[] => {
  const held = new Uint8Array(text.length)
  for (const { start, end } of ranges) held.fill(1, start, end)
  return [...text.matchAll(/[\p{L}\p{N}]+/gu)].filter(({ index }) => held[index] === 0)
    .map(({ index }) => JSON.stringify(text.slice(Math.max(0, index - 30), index + 30)))
}

/** A number or a cross that marks an item of a list, and the name of a footnote, say nothing by themselves. */
const marksOfLines = /^[ \t>]*(?:(?:\d{1,9}[.)]|[-*+])([ \t]+\[[ xX]\])?(?=[ \t])|\[\^1\]:|\.\. \[[^\]]*\])/gm
const withoutMarks = (text: string): string => text.replace(marksOfLines, (mark) => ' '.repeat(mark.length))

/** Steward refuses a file whose values nobody can assign to columns. */
const isRefused = (text: string, type: string): boolean => type === 'text/csv' && readCsv(text).unsure !== undefined

t.test('each word of a document of any format stands in a sentence, or in a page\'s header or footer', async (t) => {
  for (const type of types) {
    fc.assert(fc.property(document, (text) => {
      if (isRefused(text, type)) return
      const skips = blocksOf(text, type).flatMap((block) => block.skips ?? [])
      const missing = lost(withoutMarks(text), [...sentencesOf(text, type), ...skips])
      if (missing.length > 0) throw new Error(`${type} loses ${missing.join(', ')}`)
    }), { numRuns: 300, seed: 42 })
    t.pass(type)
  }
})

t.test('sentences stand in their blocks in order, each once', async (t) => {
  for (const type of types) {
    fc.assert(fc.property(document, (text) => {
      for (const { start, end, block } of sentencesOf(text, type)) {
        if (start < block.start || end > block.end || start >= end) throw new Error(`${type}: ${text.slice(start, end)}`)
      }
    }), { numRuns: 200, seed: 42 })
    t.pass(type)
  }
})
