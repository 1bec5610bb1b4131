import type { Schemas } from '../../api/client'
import { translate } from '../../texts/translate'

/** @returns its title; of one that comes with Steward, in the language of the screen */
export const titleOf = ({ source, title }: Pick<Schemas['StandardSummary'], 'source' | 'title'>): string =>
  source === 'builtin' ? translate('standards', title) : title

/** What a standard is, in words. */
export const kinds = {
  ruleset: 'standard.rules',
  guideline: 'standard.kind.guideline',
  template: 'standard.kind.template',
  glossary: 'standard.kind.glossary'
} as const
