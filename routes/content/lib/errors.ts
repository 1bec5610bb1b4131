import { isDeepStrictEqual } from 'node:util'
import type { Db } from '../../../db/index.js'
import { findProject } from '../../../lib/account/projects.js'
import { defineError, InvalidRequest, type ApiError, type FieldError, NotFound } from '../../../schemas/errors.js'

/** @returns an invalid_request for one pointer of the body, for rules that the schema cannot express */
export const invalid = (pointer: string, code: string, message: string): ApiError =>
  InvalidRequest(`${pointer} ${message}`, { errors: [{ pointer, code, message }] })

export const ReadOnlyField = defineError('read_only_field', 'A field that cannot be written was changed', 422)
export const ProjectArchived = defineError('project_archived', 'The project is archived', 409)
export const BriefState = defineError('brief_state', 'The brief cannot go into that state from the one it is in', 409)
export const SlugTaken = defineError('slug_taken', 'Another record of this channel and locale has this slug', 409)
export const ContentLive = defineError('content_live', 'The record is published or scheduled', 409)
export const ContentArchived = defineError('content_archived', 'The record is archived', 409)
export const ReviewState = defineError('review_state', 'The version cannot go into that state from this one', 409)
export const ChecksFailed = defineError('content_checks_failed', 'The checks of the version find errors', 422)
export const CommentRequired = defineError('comment_required', 'Say what is to be changed', 422)
export const SelfApproval = defineError('self_approval', 'Authors may not approve their own versions here', 403)
export const SourceUnreadable = defineError('source_unreadable', 'The source cannot be read', 422)
export const SourcesFull = defineError('sources_full', 'The brief has as many sources as it can have', 422)
export const StatementUnknown = defineError('statement_unknown', 'The newest version has no such statement', 422)
export const TextTooComplex = defineError('text_too_complex', 'Reading the text takes too long', 422)
export const InvalidStyle = defineError('invalid_style', 'A file of the style is broken', 422)
export const TooManyStyles = defineError('too_many_styles', 'The brand has no room for the style', 422)
export const ContentIncomplete = defineError('content_incomplete', 'Something is still to be written', 409)
export const NothingReleased = defineError('nothing_released', 'The range has no commit', 422)
export const LocaleNotEnabled = defineError('locale_not_enabled', 'The brand does not write in this locale', 422)
export const BriefNotFound = defineError('brief_not_found', 'There is no such brief', 404)
export const VersionNotApproved = defineError('version_not_approved', 'The version is not approved', 409)
export const PublicationBusy = defineError('publication_state', 'The publication is not in a state for that', 409)
export const NoTarget = defineError('no_target', 'The brand has no enabled target for this channel and locale', 422)
export const ContentEmpty = defineError('content_empty', 'The version has nothing that the target could show', 422)
export const ImageUnreadable = defineError('image_unreadable', 'The file is no image that can be shown', 422)
export const ImageTooLarge = defineError('image_too_large', 'The image is too large', 422)
export const ImageInUse = defineError('image_in_use', 'Versions of records have the image', 409)
export const ImageStoreFailed = defineError('image_store_failed', 'The store of images gives no answer', 502)
export const ImagesFull = defineError('images_full', 'The workspace has no room for more images', 422)
export const CalendarsFull = defineError('calendars_full', 'You have as many addresses of calendars as can be', 422)
export const AlreadyLive = defineError('already_live', 'This version is live there already', 409)
export const CannotUnpublish = defineError('cannot_unpublish', 'This target cannot take back what it has', 422)
export const PublishAtPast = defineError('publish_at_past', 'The time has passed', 422)
export const TooFar = defineError('too_far', 'The time is more than five years away', 422)
export const TimezoneRequired = defineError('timezone_required', 'A local time needs its timezone', 422)
export const TimeAmbiguous = defineError('local_time_ambiguous', 'The local time comes twice that day', 422)
export const TimeNonexistent = defineError('local_time_nonexistent', 'The local time is left out that day', 422)
export const NotPublisher = defineError('not_publisher', 'The brand lets only admins publish', 403)
export const TargetNotAllowed = defineError('target_not_allowed', 'The target\'s address cannot be sent to', 422)
export const TargetInUse = defineError('target_in_use', 'Content is live at the target; unpublish it first', 409)
export const TooManyOutputs = defineError('too_many_outputs', 'That would be too many records at once', 422)
export const GenerationInProgress = defineError('generation_in_progress', 'A generation of the record is running', 409)
export const GenerationFinished = defineError('generation_finished', 'The generation has ended', 409)
export const GenerationState = defineError('generation_state', 'There is nothing left to go on with', 409)
export const SuggestionDecided = defineError('suggestion_decided', 'The suggestion was decided the other way', 409)
export const SuggestionStale = defineError('suggestion_stale', 'The text has changed since this was suggested', 409)

type Fields = Record<string, unknown>

/** The value as JSON, where times are text. */
const asRead = (value: unknown): unknown => value === undefined ? undefined : JSON.parse(JSON.stringify(value))

/**
 * A body may repeat read-only fields as they were read, but not change them.
 * @throws read_only_field with a pointer for each
 */
export const requireNoReadOnly = (body: Fields, current: Fields, names: readonly string[]): void => {
  const errors = names
    .filter((name) => body[name] !== undefined && !isDeepStrictEqual(body[name], asRead(current[name])))
    .map((name): FieldError => ({ pointer: `/${name}`, code: 'read_only_field', message: 'cannot be written' }))
  if (errors.length === 0) return
  throw ReadOnlyField(`${errors.map(({ pointer }) => pointer).join(', ')} cannot be written`, { errors })
}

/** @throws not_found for a project that is not there or not the workspace's */
export const requireProject = async (db: Db, workspaceId: string, id: string) => {
  const project = await findProject(db, workspaceId, id)
  if (!project) throw NotFound()
  return project
}

/** @throws not_found; project_archived, because an archived project is read-only */
export const requireOpenProject = async (db: Db, workspaceId: string, id: string): Promise<void> => {
  const project = await requireProject(db, workspaceId, id)
  if (project.archived_at) throw ProjectArchived()
}
