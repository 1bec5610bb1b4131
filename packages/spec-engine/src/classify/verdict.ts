import type { Role, Sentence } from 'steward-document-reader/document'
import type { ReadLanguage } from './language.js'
import type { Modal } from './normative.js'

export const sentenceClasses = ['demand', 'permission', 'prohibition', 'example', 'rationale', 'alternative', 'history',
  'question', 'answer', 'definition', 'quotation', 'task', 'boilerplate', 'unclear', 'other'] as const
export type SentenceClass = typeof sentenceClasses[number]

export type Sense = 'normative' | 'story' | 'step' | 'question' | 'non_goal' | 'assumption' | 'goal' | 'risk' |
  'edge_case' | 'success' | 'decision' | 'term' | 'actor' | 'problem' | 'summary' | 'set_aside' | 'other'

/** What a sentence is, where it goes in the spec, and why. */
export interface Verdict { sense: Sense, class: SentenceClass, why: string }

/** The sentence before, with what it is. */
export type Before = Verdict & Pick<Sentence, 'block' | 'headings'>

/** What the rules read of a sentence. */
export interface Subject {
  sentence: Sentence
  /** With the stem of its list or column. */
  text: string
  role: Role | undefined
  language: ReadLanguage
  /** Modal verbs that demand wherever they stand. */
  strong: readonly Modal[]
  /** With can, may and will. */
  all: readonly Modal[]
  /** Keywords of RFC 2119 in capitals. */
  capitals: readonly string[]
  before: Before | undefined
  /** People that the document's use cases name as actors, in small letters. */
  actors: readonly string[]
  /** The document says that its keywords are those of RFC 2119: nothing else demands. */
  isStrict: boolean
}

export type ClassRule = (subject: Subject) => Verdict | undefined

export const aside = (kind: SentenceClass, why: string): Verdict => ({ sense: 'set_aside', class: kind, why })
