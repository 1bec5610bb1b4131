import { syllable } from 'syllable'
import { visit } from 'unist-util-visit'
import type { Draft } from '../rule.js'
import type { variableNames } from './formula.js'

type Counts = Record<typeof variableNames[number], number>

const sentences = new Intl.Segmenter('en', { granularity: 'sentence' })

const longFrom = 7

/** Three syllables, without those that an inflection adds. */
const isComplex = (word: string): boolean => syllable(word.replace(/(?:es|ed|ing)$/, '')) > 2

const nodesOf = ({ tree }: Draft) => {
  const headings = [0, 0, 0, 0, 0, 0]
  const counts = { list: 0, blockquote: 0, pre: 0 }
  visit(tree, (node) => {
    if (node.type === 'heading') headings[node.depth - 1] = (headings[node.depth - 1] ?? 0) + 1
    if (node.type === 'list' || node.type === 'blockquote') counts[node.type]++
    if (node.type === 'code') counts.pre++
  })
  const [h1 = 0, h2 = 0, h3 = 0, h4 = 0, h5 = 0, h6 = 0] = headings
  return {
    ...counts, heading_h1: h1, heading_h2: h2, heading_h3: h3, heading_h4: h4, heading_h5: h5, heading_h6: h6
  }
}

/** @returns what a metric rule may count: running prose, as Vale's summary has it, and the blocks of the body */
export const countsOf = (draft: Draft): Counts => {
  const own = draft.prose.passages.filter(({ kind, field }) =>
    field === 'body_markdown' && (kind === 'paragraph' || kind === 'item'))
  const text = own.map(({ text }) => text).join('\n\n')
  const words = text.match(/[\p{L}\p{N}]+(?:['’-][\p{L}\p{N}]+)*/gu) ?? []
  const lengths = words.map((word) => syllable(word))
  return {
    words: words.length,
    sentences: own.reduce((sum, one) => sum + [...sentences.segment(one.text.trim())].length, 0),
    characters: words.reduce((sum, word) => sum + word.length, 0),
    paragraphs: own.filter(({ kind }) => kind === 'paragraph').length,
    syllables: lengths.reduce((sum, one) => sum + one, 0),
    long_words: words.filter(({ length }) => length >= longFrom).length,
    polysyllabic_words: lengths.filter((one) => one > 2).length,
    complex_words: words.filter(isComplex).length,
    ...nodesOf(draft)
  }
}
