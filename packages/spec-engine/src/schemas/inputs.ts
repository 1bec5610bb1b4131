/** The kinds of input that a spec is made of. */
export const inputKinds = ['text', 'url', 'file', 'repo_file', 'repo_issue', 'spec', 'answer', 'edit', 'decision',
  'feedback', 'waiver'] as const
export type InputKind = typeof inputKinds[number]

/** The layouts of files that can be imported. */
export const importLayouts = ['spec-kit', 'kiro', 'openspec', 'markdown'] as const
export type ImportLayout = typeof importLayouts[number]
