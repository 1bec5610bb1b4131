import { sentencesOf } from 'steward-document-reader/document'
import type { ProposedSentence } from '../schemas/brief.js'

/** Fewer words say nothing of something; a fact holds so many characters. */
const minWords = 3
const maxLength = 500

/** @returns the sentences of a document that could be facts, with their places; headings and code are none */
export const proposeFacts = (text: string, mediaType: string): ProposedSentence[] => sentencesOf(text, mediaType)
  .filter(({ text: one, block, isStruck, isLink, cell }) => block.kind !== 'code' && !isStruck && !isLink && !cell?.isHeader &&
    one.length <= maxLength && one.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length >= minWords)
  .map(({ text: one, start, end, headings }, index) => ({ number: index + 1, text: one, start, end, headings }))
