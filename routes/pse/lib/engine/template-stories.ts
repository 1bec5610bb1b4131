import type { Story } from '../../../../schemas/pse/document.js'
import { isOneOf } from '../../../../schemas/unknown.js'

export interface StoryParts {
  role: string
  want: string
  soThat: string
  priority: Story['priority']
  /** "I want to V": what is wanted is something that is done. */
  isAction: boolean
}

const input = /\b(?:I|we) (?:want|need|would like|can|input)(?: (to))?\b/i
const reason = /,?(?<!\s)\s+so(?: that)?\s+/i

const tidy = (text: string): string => text.replace(/^[\s,:;-]+|(?<![\s,:;.])[\s,:;.]+$/g, '')

/** @returns the parts of "As a <role>, I want to <V> so that <reason>", whose input the caller has seen */
export const parseStory = (text: string): StoryParts => {
  const priority = /\b(P[123])\b/.exec(text)?.[1]
  const found = input.exec(text)
  const start = found?.index ?? text.length
  const role = tidy(text.slice(0, start).replace(/^as (?=an? )/i, ''))
  const rest = text.slice(start + (found?.[0].length ?? 0)).replace(/\(?\bP[123]\b\)?/, '')
  const cut = reason.exec(rest)
  return {
    role,
    want: tidy(cut ? rest.slice(0, cut.index) : rest),
    soThat: cut ? tidy(rest.slice(cut.index + cut[0].length)) : '',
    priority: isOneOf(['P1', 'P2', 'P3'], priority) ? priority : 'P2',
    isAction: found?.[1] !== undefined || /\bcan\b/i.test(found?.[0] ?? '')
  }
}
