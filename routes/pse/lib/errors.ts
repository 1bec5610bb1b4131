import type { FastifyInstance } from 'fastify'
import { codehostErrors, CodehostNotFound, CodehostValidation, RepoNotFound } from '../../../schemas/codehost/errors.js'
import { defineError } from '../../../schemas/errors.js'

/** The parts of the application that the area's code uses. */
export type Deps = Pick<FastifyInstance,
  'db' | 'database' | 'inject' | 'tickets' | 'streams' | 'jobs' | 'log' | 'config' | 'failpoint' | 'llm' | 'sandbox' |
  'outbound' | 'extractor' | 'telemetry' | 'workspaces'>

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
export const FormBroken = defineError('malformed_form', 'The body is not a valid multipart form', 400)
export const InputEmpty = defineError('input_empty', 'There is no text in it', 422)
export const FileTooLarge = defineError('file_too_large', 'The file is larger than 10 MiB', 422)
export const FileEncrypted = defineError('file_encrypted', 'The file is protected by a password', 422)
export const FileBroken = defineError('file_broken', 'The file cannot be read', 422)
export const FileUnpacksTooLarge = defineError('file_unpacks_too_large', 'The file unpacks to too much', 422)
export const FileTypeUnsupported = defineError('file_type_unsupported', 'Files of this type are not read', 422)
export const FileWithoutText = defineError('file_without_text', 'The file has pages but no text', 422)
export const FileTooComplex = defineError('file_too_complex', 'Reading the file takes too much time or memory', 422)
export const UrlNotAllowed = defineError('url_not_allowed', 'The address may not be asked', 422)
export const UrlTooLarge = defineError('url_too_large', 'What is at the address is too large', 422)
export const UrlRefused = defineError('url_refused', 'The server at the address did not give it', 422)
export const UrlUnreachable = defineError('url_unreachable', 'The server at the address cannot be reached', 502)
export const UrlTimeout = defineError('url_timeout', 'The server at the address takes too long', 504)
export const TargetUnknown = defineError('target_unknown', 'The spec has no such item', 422)
export const NoTasks = defineError('no_tasks',
  'The spec has no tasks; generate it with the artifact tasks', 409)
export const IssueInProgress = defineError('issue_in_progress',
  'Another call creates the issue of the task; try again in a minute', 409)
export const ModelNeeded = defineError('model_needed', 'Only a model makes repairs', 422)
export const EditInvalid = defineError('edit_invalid', 'The edit does not fit the spec', 422)
export const ItemLocked = defineError('item_locked', 'The item is locked; unlock it first', 409)
export const ChecksFailed = defineError('checks_failed', 'The checks find errors that nobody has waived', 409)
export const ReviewOpen = defineError('review_open', 'Questions of the standards wait for an answer', 409)
export const QuestionsOpen = defineError('questions_open', 'Blocking questions are open', 409)
export const SpecStale = defineError('spec_stale', 'Inputs or settings changed since; generate again', 409)

/** Errors of reading files and addresses, by the code of the plugin that read them. */
export const readingErrors = {
  file_encrypted: FileEncrypted,
  file_broken: FileBroken,
  file_unpacks_too_large: FileUnpacksTooLarge,
  file_type_unsupported: FileTypeUnsupported,
  file_too_complex: FileTooComplex,
  url_not_allowed: UrlNotAllowed,
  url_too_large: UrlTooLarge,
  url_unreachable: UrlUnreachable,
  url_timeout: UrlTimeout
}

/** Errors of adding inputs. */
export const inputErrors = [TooManyInputs, InputsTooLong, InputEmpty, FileTooLarge, UrlRefused, NoVersion,
  TargetUnknown, EditInvalid, ItemLocked, BaseVersionStale, FileWithoutText,
  ...Object.values(readingErrors), ...codehostErrors,
  RepoNotFound, CodehostNotFound, CodehostValidation]

export const moveErrors = [NoVersion, GenerationInProgress, ChecksFailed, ReviewOpen, QuestionsOpen, SpecStale,
  TargetUnknown, TooManyInputs, InputsTooLong]
