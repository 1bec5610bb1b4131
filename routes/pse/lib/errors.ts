import { defineError } from '../../../schemas/errors.js'

export const ProjectUnknown = defineError('project_unknown', 'There is no such project', 422)
export const SessionArchived = defineError('session_archived', 'The session is archived; restore it first', 409)
export const SessionApproved = defineError('session_approved', 'The spec is approved; open it again first', 409)
export const GenerationInProgress = defineError('generation_in_progress',
  'A generation of the session is queued or runs', 409)
export const GenerationFinished = defineError('generation_finished', 'The generation has ended', 409)
export const BaseVersionStale = defineError('base_version_stale', 'Another version is current by now', 409)
export const NoUsableInputs = defineError('no_usable_inputs', 'The session has nothing to make a spec of', 422)
export const NoVersion = defineError('no_version', 'The session has no version yet; generate one', 409)
export const TooManyInputs = defineError('too_many_inputs', 'A session holds at most 100 inputs', 422)
export const InputsTooLong = defineError('inputs_too_long', 'The session\'s inputs are too long together', 422)

/** What adding inputs may answer. */
export const inputErrors = [TooManyInputs, InputsTooLong]
