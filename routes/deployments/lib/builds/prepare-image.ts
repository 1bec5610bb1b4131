import { ApiError } from '../../../../schemas/errors.js'
import type { BuildRow } from '../../../../db/deployments/builds.js'
import { findCommit } from './find-commit.js'
import { StepFailed, type StepContext } from './build-state.js'
import { digestOf, fillTemplate, isImage, namesCommit } from '../apps/images.js'

/**
 * Finds out which commit is built. A build names a commit only once the code host has shown it: also that of a push,
 * whose signature says who has sent it and not that its commit exists.
 */
export const checkout = async (context: StepContext): Promise<'succeeded' | 'skipped'> => {
  const { state, log } = context
  const { row } = state
  if (row.rollback_of !== null) {
    await log(row.commit === null ? 'The earlier build has no commit' : `Commit ${row.commit}, as the earlier build had it`)
    return row.commit === null ? 'skipped' : 'succeeded'
  }
  const found = await findCommit(context, row.commit ?? row.ref)
  if ('sha' in found && row.commit !== null && !found.sha.startsWith(row.commit)) {
    throw new StepFailed(`${row.repo} has no commit ${row.commit}`)
  }
  if ('sha' in found) {
    await state.write({ commit: found.sha, commit_message: found.headline })
    await log(`${row.commit ?? row.ref} is commit ${found.sha}`)
    return 'succeeded'
  }
  await log(found.why)
  // An unknown commit is not guessed where the image depends on it: another image would run.
  const needed = row.trigger === 'push' || (row.requested_image === null && namesCommit(row.template))
  if (found.fatal === 'always' || (found.fatal === 'where needed' && needed)) throw new StepFailed(found.why)
  if (row.trigger === 'push' && row.commit !== null) throw new StepFailed(`${found.why}; a push is not taken on trust`)
  await log(`The commit is not known; ${row.commit ?? row.ref} stands for it in the name of the image`)
  // The name of the image keeps what was asked for, and nothing says that it is a commit.
  if (row.commit !== null) await state.write({ commit: null, image: imageOf(row) })
  return 'skipped'
}

const imageOf = (row: BuildRow): string => row.requested_image ?? fillTemplate(row.template ?? '', row)

/** Says which image is deployed: there is no builder here, and the deploy routes refuse what its registry does not have. */
export const build = async ({ state, log }: StepContext): Promise<'succeeded' | 'skipped'> => {
  const { row } = state
  const image = row.image ?? imageOf(row)
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
