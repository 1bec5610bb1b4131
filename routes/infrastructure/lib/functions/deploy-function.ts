import type { Lambda } from '@aws-sdk/client-lambda'
import { checkImage, requireImage } from '../../../../lib/aws/images.js'
import { describeVersions } from '../../../../lib/aws/function-aliases.js'
import { requireWritable } from '../../../../lib/aws/accounts.js'
import { withTarget, type TargetClaim } from '../../../../lib/durable/target-claim.js'
import { requireExpected } from '../../../../lib/tools/digest.js'
import { ApiError } from '../../../../schemas/errors.js'
import type {
  DeployFunction, FunctionAlias, FunctionDeployment, FunctionFacts, ServerlessFunction
} from '../../../../schemas/infrastructure/functions.js'
import { FunctionChanged, FunctionNotDeployable, FunctionUpdateInProgress, keyFor, type ActingDeps } from '../errors.js'
import { updateOf } from './read-functions.js'
import {
  asMissing, describeImageNow, functionReads, idOfFunction, listAliasesNow, type FunctionRef
} from './resolve-function.js'
import { targetOfFunction } from '../write-ecs.js'
import { awsDetailOf } from '../../../../lib/aws/errors.js'
import { allow, functionArn } from '../../../../lib/aws/sessions.js'

const refusals: Record<string, typeof FunctionChanged> =
  { ResourceConflictException: FunctionUpdateInProgress, PreconditionFailedException: FunctionChanged }

export const asRefusal = (error: unknown): never => {
  if (!(error instanceof ApiError)) throw error
  const aws = awsDetailOf(error)
  const refusal = refusals[aws.code ?? '']
  if (refusal) throw refusal(error.message, { ...error.members })
  return asMissing(error)
}

/** @returns what of a function another image is approved on */
export const functionFacts = ({ version, revision_id, code_sha256, image, image_digest }: ServerlessFunction):
FunctionFacts => ({ version, revision_id, code_sha256, image, image_digest })

const requireAliasAt = (aliases: FunctionAlias[], { name, revision_id }: { name: string, revision_id: string }): void => {
  const found = aliases.find((alias) => alias.name === name)
  if (found?.revision_id === revision_id) return
  throw FunctionChanged(found
    ? `Alias ${name} has been moved: it leads to ${describeVersions(found.versions)}`
    : `There is no alias ${name} any more`)
}

interface Deploying { ref: FunctionRef, input: DeployFunction, claim: TargetClaim }

/** Reads the function, compares it, and sends on the condition that it is at that revision still. */
const readAndDeploy = async (lambda: Lambda, { ref, input, claim }: Deploying): Promise<FunctionDeployment> => {
  const before = await describeImageNow(lambda, ref)
  requireExpected(input.expected, functionFacts(before))
  if (before.package_type !== 'Image') throw FunctionNotDeployable()
  if (input.alias_revision) {
    requireAliasAt(before.aliases ?? await listAliasesNow(lambda, ref.name), input.alias_revision)
  }
  claim.requireHeld()
  const after = await lambda.updateFunctionCode({
    FunctionName: ref.name,
    ImageUri: input.image,
    RevisionId: input.revision_id ?? before.revision_id ?? undefined,
    DryRun: input.dry_run
  }).catch(asRefusal)
  return {
    function_id: idOfFunction(ref),
    image: input.image,
    previous_image: before.image,
    revision_id: after.RevisionId ?? null,
    version: '$LATEST',
    aliases: before.aliases,
    dry_run: input.dry_run,
    last_update: updateOf(after)
  }
}

/**
 * Deploys another image to a function. Lambda takes the image over after the answer: `last_update` of the function has
 * the outcome. Sending the same image again changes nothing.
 * @throws image_not_found, function_not_deployable, function_update_in_progress, function_changed, state_changed, target_busy, and what
 * AWS answers
 */
export const deployFunction = async (deps: ActingDeps, ref: FunctionRef, input: DeployFunction):
Promise<FunctionDeployment> => {
  requireWritable(ref.account)
  requireImage(await checkImage(deps.aws, ref.account, input.image))
  const allowed = [...functionReads(ref), allow('lambda:UpdateFunctionCode', functionArn(ref, ref.name))]
  try {
    return await withTarget(deps, targetOfFunction(ref), (claim) =>
      deps.aws.write('lambda', ref, allowed, (lambda) => readAndDeploy(lambda, { ref, input, claim })))
  } finally {
    deps.aws.inventory.forget(keyFor(ref, 'functions'))
  }
}
