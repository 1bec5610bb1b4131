import type { FunctionConfiguration, Lambda } from '@aws-sdk/client-lambda'
import { requireWritable } from '../../../../lib/aws/accounts.js'
import { describeVersions } from '../../../../lib/aws/function-aliases.js'
import { allow, functionArn, type Statement } from '../../../../lib/aws/sessions.js'
import { withTarget, type TargetClaim } from '../../../../lib/durable/target-claim.js'
import { requireExpected } from '../../../../lib/tools/digest.js'
import type {
  AliasFacts, FunctionAlias, FunctionAliasMove, MoveFunctionAlias, ServerlessFunction
} from '../../../../schemas/infrastructure/functions.js'
import { AliasDivided, AliasNotFound, keyFor, type ActingDeps } from '../errors.js'
import { targetOfFunction } from '../write-ecs.js'
import { asRefusal } from './deploy-function.js'
import { functionReads, idOfFunction, listAliasesNow, readConfiguration, type FunctionRef } from './resolve-function.js'

/** @returns what a move is approved on. @param next the version to which the calls are to go */
export const aliasFacts = ({ versions, revision_id }: FunctionAlias, next: Pick<ServerlessFunction, 'code_sha256'>):
AliasFacts => ({ versions, revision_id, code_sha256: next.code_sha256 })

/** @throws alias_not_found */
export const requireAlias = (aliases: readonly FunctionAlias[], name: string): FunctionAlias => {
  const found = aliases.find((alias) => alias.name === name)
  if (found) return found
  const names = aliases.map((alias) => alias.name)
  throw AliasNotFound(names.length > 0
    ? `There is no alias ${name}; the function has ${names.join(', ')}`
    : `There is no alias ${name}; the function has none`)
}

/**
 * Whoever divides the calls has not finished: a deployment in between would end that unseen. A move to a version that
 * is named ends it on purpose.
 * @throws alias_divided
 */
export const requireUndivided = ({ name, versions }: FunctionAlias): void => {
  if (versions.length <= 1) return
  throw AliasDivided(`Alias ${name} divides its calls between ${describeVersions(versions)}. Wait until that has ended, or ` +
    'move the alias to one of the versions', { versions })
}

/** Publishes the code that was read, and no other. @returns the version, which is the last one where nothing has changed */
const publish = async (lambda: Lambda, { name }: FunctionRef, latest: FunctionConfiguration): Promise<string> => {
  const { Version = '' } = await lambda.publishVersion({
    FunctionName: name, CodeSha256: latest.CodeSha256, RevisionId: latest.RevisionId
  }).catch(asRefusal)
  return Version
}

interface Moving { ref: FunctionRef, alias: string, input: MoveFunctionAlias, claim: TargetClaim }

/** Reads the alias and the code, compares them, and sends on the condition that both are at their revisions still. */
const readAndMove = async (lambda: Lambda, { ref, alias: name, input, claim }: Moving): Promise<FunctionAliasMove> => {
  const [aliases, next] =
    await Promise.all([listAliasesNow(lambda, ref.name), readConfiguration(lambda, ref, input.version)])
  const alias = requireAlias(aliases, name)
  requireExpected(input.expected, aliasFacts(alias, { code_sha256: next.CodeSha256 ?? null }))
  if (input.version === undefined) requireUndivided(alias)
  claim.requireHeld()
  const version = input.version ?? await publish(lambda, ref, next)
  claim.requireHeld()
  const moved = await lambda.updateAlias({
    FunctionName: ref.name,
    Name: name,
    FunctionVersion: version,
    RevisionId: alias.revision_id ?? undefined,
    // Weights that are not named would stay.
    RoutingConfig: { AdditionalVersionWeights: {} }
  }).catch(asRefusal)
  return {
    function_id: idOfFunction(ref),
    alias: name,
    version: moved.FunctionVersion ?? version,
    previous_versions: alias.versions,
    revision_id: moved.RevisionId ?? null
  }
}

const sessionFor = (ref: FunctionRef, { version }: MoveFunctionAlias): Statement[] => [
  ...functionReads(ref, version),
  allow(version === undefined ? ['lambda:PublishVersion', 'lambda:UpdateAlias'] : 'lambda:UpdateAlias',
    functionArn(ref, ref.name))
]

/**
 * Lets all calls of an alias go to one version: one that is named, or $LATEST, which is published first. The version
 * before stays, and is the way back.
 * @throws alias_not_found, alias_divided, function_update_in_progress, function_changed, state_changed, target_busy, and
 * what AWS answers
 */
export const moveAlias = async (deps: ActingDeps, ref: FunctionRef, alias: string, input: MoveFunctionAlias):
Promise<FunctionAliasMove> => {
  requireWritable(ref.account)
  try {
    return await withTarget(deps, targetOfFunction(ref), (claim) =>
      deps.aws.write('lambda', ref, sessionFor(ref, input), (lambda) => readAndMove(lambda, { ref, alias, input, claim })))
  } finally {
    deps.aws.inventory.forget(keyFor(ref, 'functions'))
  }
}
