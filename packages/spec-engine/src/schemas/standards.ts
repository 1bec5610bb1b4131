import type { StandardRule } from './rules.js'

/** What a standard is: only one of kind template asks for sections, and only a glossary has terms. */
export const standardKinds = ['guideline', 'ruleset', 'template', 'glossary'] as const

/** A version of a standard with its inherited rules, which a spec is checked against. */
export interface ResolvedStandard {
  standard_id: string
  key: string
  version: number
  title: string
  kind: typeof standardKinds[number]
  body_markdown: string
  rules: StandardRule[]
}
