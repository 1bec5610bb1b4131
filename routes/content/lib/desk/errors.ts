import { defineError } from '../../../../schemas/errors.js'

export const PassageNotFound = defineError('passage_not_found', 'The words are not in that text', 422)
export const PassageAmbiguous = defineError('passage_ambiguous', 'The words occur more than once', 422)
export const CommentsFull = defineError('comments_full', 'The record has no room for more comments', 409)
export const ReviewerNotAllowed = defineError('reviewer_not_allowed', 'The person may not approve this', 422)
export const NotReviewer = defineError('not_reviewer', 'Only the reviewer may approve this', 403)
export const TranslationCycle = defineError('translation_cycle', 'A text cannot translate its own translation', 422)
export const RepairOverwritten = defineError('repair_overwritten', 'The repaired words have changed since', 409)
