import { ApiError } from '../../../schemas/errors.js'
import { StepFailed, type StepContext } from './build-state.js'
import { callRoute, principalOf } from './call-route.js'
import { digestOf, fillTemplate, isImage } from './images.js'

const commitsRoute = '/codehost/repos/:repo_id/commits'

/** @returns the newest commit of the ref, as the code host tells the one who asked; undefined when it cannot be told */
const askCodeHost = async ({ deps, state: { row }, log }: StepContext) => {
  if (!deps.hasRoute({ method: 'GET', url: commitsRoute })) {
    await log('No code host is connected')
    return undefined
  }
  const principal = await principalOf(deps, row.workspace_id, row.principal)
  const url = `/codehost/repos/${encodeURIComponent(row.repo)}/commits?ref=${encodeURIComponent(row.ref)}&limit=1`
  const { status, body } = await callRoute(deps, principal, { url })
  // The route's items, as any client reads them; one that looks otherwise is as good as none.
  const [commit] = (Array.isArray(body.items) ? body.items : []) as { sha?: unknown, message?: unknown }[]
  if (status < 300 && typeof commit?.sha === 'string') {
    return { commit: commit.sha, message: String(commit.message ?? '') }
  }
  await log(`The code host does not tell the commit of ${row.ref}: ${String(body.code ?? 'no commits')}`)
  return undefined
}

/** Finds out which commit is built. */
export const checkout = async (context: StepContext): Promise<'succeeded' | 'skipped'> => {
  const { state, log } = context
  const { row } = state
  if (row.commit !== null) {
    await log(`Commit ${row.commit}, as ${row.rollback_of ? 'the earlier build had it' : 'asked for'}`)
    return 'succeeded'
  }
  const found = await askCodeHost(context)
  if (found) {
    await state.write({ commit: found.commit, commit_message: found.message.split('\n')[0]?.slice(0, 500) ?? null })
    await log(`${row.ref} is at commit ${found.commit}`)
    return 'succeeded'
  }
  await log(`The commit is not known; ${row.ref} stands for it`)
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
