import type { SpecDocument } from 'steward-spec-engine/schemas'

/** @returns the ids of the open questions that block approval */
export const blockingOf = ({ open_questions: questions }: SpecDocument): string[] =>
  questions.filter(({ blocking, status }) => blocking && status === 'open').map(({ id }) => id)
