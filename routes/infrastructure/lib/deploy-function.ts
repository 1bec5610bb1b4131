import { ApiError } from '../../../schemas/errors.js'
import type { DeployFunction, FunctionDeployment } from '../../../schemas/infrastructure/functions.js'
import { FunctionChanged, FunctionNotDeployable, FunctionUpdateInProgress } from './errors.js'
import { functionsKey, updateOf } from './read-functions.js'
import { asMissing, idOfFunction, readFunction, type FunctionRef } from './resolve-function.js'
import type { ActingDeps } from './sources.js'
import { awsDetailOf } from '../../../lib/aws/errors.js'
import { allow, functionArn } from '../../../lib/aws/session-policy.js'

const refusals: Record<string, typeof FunctionChanged> =
  { ResourceConflictException: FunctionUpdateInProgress, PreconditionFailedException: FunctionChanged }

const asRefusal = (error: unknown): never => {
  if (!(error instanceof ApiError)) throw error
  const aws = awsDetailOf(error)
  const refusal = refusals[aws.code ?? '']
  if (refusal) throw refusal(error.message, { ...error.members })
  return asMissing(error)
}

/**
 * Deploys another image to a function. Lambda takes the image over after the answer: `last_update` of the function has
 * the outcome. Sending the same image again changes nothing.
 * @throws function_not_deployable, function_update_in_progress, function_changed, and what AWS answers
 */
export const deployFunction = async (deps: ActingDeps, ref: FunctionRef, input: DeployFunction):
Promise<FunctionDeployment> => {
  const before = await readFunction(deps, ref)
  if (before.package_type !== 'Image') throw FunctionNotDeployable()
  const allowed = [allow('lambda:UpdateFunctionCode', functionArn(ref, ref.name))]
  const after = await deps.aws.write('lambda', ref, allowed, (lambda) => lambda.updateFunctionCode({
    FunctionName: ref.name, ImageUri: input.image, RevisionId: input.revision_id, DryRun: input.dry_run
  })).catch(asRefusal)
  deps.aws.inventory.forget(functionsKey(ref))
  return {
    function_id: idOfFunction(ref),
    image: input.image,
    previous_image: before.image,
    revision_id: after.RevisionId ?? null,
    dry_run: input.dry_run,
    last_update: updateOf(after)
  }
}
