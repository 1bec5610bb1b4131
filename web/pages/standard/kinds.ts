/** What a standard is, in words. */
export const kinds = {
  ruleset: 'standard.rules',
  guideline: 'standard.kind.guideline',
  template: 'standard.kind.template',
  glossary: 'standard.kind.glossary'
} as const
