/** The layouts of an export. */
export const layouts = {
  markdown: 'Markdown', json: 'JSON', 'spec-kit': 'spec-kit (zip)', kiro: 'Kiro (zip)', openspec: 'OpenSpec (zip)'
} as const
