import type { Passage } from '../../markdown/prose.js'
import { sourceOf, type Draft } from '../rule.js'

/** A block of prose as a reader sees it, and where each of its characters stands in the record. */
export interface Block { passage: Passage, scopes: ReadonlySet<string>, text: string, offsets: number[] }

/** It stands for code, an address or an image: no word, and no blank. */
const thing = '\uFFFC'

const isThing = (markup: string): boolean => /`|^https?:|^!\[|^</.test(markup)

/** @returns the text without markup, where a passage has blanks for it */
const compact = (passage: Passage, source: string): Pick<Block, 'text' | 'offsets'> => {
  const { text, start } = passage
  const parts: string[] = []
  const offsets: number[] = []
  const put = (char: string, at: number) => { parts.push(char); offsets.push(start + at) }
  for (let at = 0; at < text.length;) {
    const own = source.charAt(start + at)
    const isMarkup = (index: number) => text[index] === ' ' && !/\s/.test(source.charAt(start + index))
    if (own === '\n') {
      put(' ', at++)
      while (at < text.length && /[\s>]/.test(source.charAt(start + at))) at++
    } else if (isMarkup(at)) {
      const from = at
      // An address or code may have blanks of its own, which stand between marks.
      while (at < text.length && isMarkup(at)) at++
      if (isThing(source.slice(start + from, start + at))) put(thing, from)
    } else put(text.charAt(at), at++)
  }
  // The blank behind the marks of a heading or of a list.
  const from = Math.max(0, parts.findIndex((part) => part !== ' '))
  return { text: parts.slice(from).join(''), offsets: offsets.slice(from) }
}

const scopesOf = ({ kind, field, depth }: Passage): Set<string> => {
  if (field === 'title') return new Set(['text', 'heading', 'heading.h1'])
  switch (kind) {
    case 'heading': return new Set(['text', 'heading', `heading.h${depth}`])
    case 'item': return new Set(['text', 'list', 'sentence', 'summary'])
    case 'cell': return new Set(['text', 'table', 'table.cell', 'table.header'])
    default: return new Set(['text', 'paragraph', 'sentence', 'summary'])
  }
}

/** @returns the blocks of a draft; quotations are not judged */
export const blocksOf = (draft: Draft): Block[] => draft.prose.passages.map((passage) => {
  const source = sourceOf(draft.body, passage.field)
  return { passage, scopes: scopesOf(passage), ...compact(passage, source) }
}).filter(({ text }) => text.trim() !== '')

const sentences = new Intl.Segmenter('en', { granularity: 'sentence' })

/** @returns the sentences of a block, as blocks */
export const sentencesOf = (block: Block): Block[] => [...sentences.segment(block.text)].map(({ segment, index }) => ({
  ...block, text: segment.trimEnd(), offsets: block.offsets.slice(index, index + segment.length)
}))

const fits = ({ scopes }: Block, scope: string): boolean => scope.split('&').map((one) => one.trim()).every((one) =>
  one.startsWith('~') ? !scopes.has(one.slice(1)) : scopes.has(one))

/** @returns the blocks in the scope of a rule: `text` are all of them, `summary` and `sentence` running prose */
export const inScope = (blocks: readonly Block[], scope: readonly string[]): Block[] => {
  const bySentence = scope.some((one) => /(?:^|&)\s*sentence/.test(one))
  const found = blocks.filter((block) => scope.some((one) => fits(block, one)))
  return bySentence ? found.flatMap(sentencesOf) : found
}
