import { ApiError } from '../../../schemas/errors.js'
import { findCommit } from './find-commit.js'
import { StepFailed, type StepContext } from './build-state.js'
import { digestOf, fillTemplate, isImage, namesCommit } from './images.js'

/** A whole hash, not the beginning of one. */
const isWhole = (commit: string): boolean => commit.length >= 40

/** Finds out which commit is built. */
export const checkout = async (context: StepContext): Promise<'succeeded' | 'skipped'> => {
  const { state, log } = context
  const { row } = state
  if (row.commit !== null && (row.rollback_of !== null || isWhole(row.commit))) {
    await log(`Commit ${row.commit}, as ${row.rollback_of ? 'the earlier build had it' : 'asked for'}`)
    return 'succeeded'
  }
  const found = await findCommit(context, row.commit ?? row.ref)
  if ('sha' in found) {
    await state.write({ commit: found.sha, commit_message: found.headline })
    await log(`${row.commit ?? row.ref} is commit ${found.sha}`)
    return 'succeeded'
  }
  await log(found.why)
  // An unknown commit is not guessed where the image depends on it: another image would run.
  const needed = row.commit === null && row.requested_image === null && namesCommit(row.template)
  if (found.fatal === 'always' || (found.fatal === 'where needed' && needed)) throw new StepFailed(found.why)
  await log(`The commit is not known; ${row.commit ?? row.ref} stands for it`)
  return 'skipped'
}

/** Says which image is deployed: there is no builder here, so the image exists or will not be found. */
export const build = async ({ state, log }: StepContext): Promise<'succeeded' | 'skipped'> => {
  const { row } = state
  const image = row.requested_image ?? fillTemplate(row.template ?? '', row)
  const named = row.rollback_of ? 'the image of an earlier build' : 'as asked for'
  const why = row.requested_image === null ? `by ${row.template}` : named
  await state.write({ image, image_digest: digestOf(image) })
  await log(`Image ${image}, ${why}; nothing is built here`)
  return 'skipped'
}

/** Checks that what is to be deployed is an image's name at all. */
export const push = async ({ state: { row }, log }: StepContext): Promise<'succeeded' | 'skipped'> => {
  const { image } = row
  if (image === null || !isImage(image)) throw new StepFailed(`${image} is no image that a registry could hold`)
  await log(`${image} is well formed; nothing is pushed from here`)
  return 'skipped'
}

/** @returns a failed step for an error of the API, and the error itself for any other */
export const asFailure = (error: unknown): unknown =>
  error instanceof ApiError ? new StepFailed(`${error.code}: ${error.message}`) : error
