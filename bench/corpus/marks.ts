/** r = a requirement, n = not one although it sounds so, q = a question. */
export type MarkKind = 'r' | 'n' | 'q'
export interface Mark { kind: MarkKind, text: string }

const mark = /⟦([rnq]) ([^⟧]*)⟧/g

/** @returns the document without its marks, and what they mark */
export const readMarks = (marked: string): { text: string, marks: Mark[] } => ({
  text: marked.replace(mark, '$2'),
  // The expression has these three letters only.
  marks: [...marked.matchAll(mark)].map(({ 1: kind, 2: text = '' }) => ({ kind: kind as MarkKind, text }))
})
