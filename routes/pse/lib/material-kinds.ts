import type { InputKind } from '../../../schemas/pse/inputs.js'

/** What a spec may be made of. */
export const material: readonly InputKind[] =
  ['text', 'url', 'file', 'repo_file', 'repo_issue', 'spec', 'answer', 'decision']
