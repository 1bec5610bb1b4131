import type { ServerlessFunction } from '../../../../schemas/infrastructure/functions.js'
import { ServiceDeployment, ServiceDetail } from '../../../../schemas/infrastructure/service-deployments.js'
import { describeUnchanged, describeVersions } from '../../../../lib/aws/function-aliases.js'
import type { LambdaTarget } from '../../../../schemas/deployments/apps.js'
import { StepFailed, pause, type StepContext } from './build-state.js'
import { bodyOf, type RouteAnswer } from '../../../../lib/http/call-route.js'
import { currentPrincipal } from '../../../../lib/security/principal.js'
import { callArea } from '../errors.js'
import { aliasOf, readTarget } from './deploy-function.js'
import type { EcsTarget } from './deploy-image.js'
import { digestOf, serviceUrl } from '../apps/resolve-target.js'

const againMs = 2_000
/** AWS's reads may be older than its writes: one that contradicts is repeated. */
const maxContradictions = 3

const isAnswered = ({ status }: RouteAnswer): boolean => status !== 429 && status < 500

const readService = async ({ deps, state: { row } }: StepContext, target: EcsTarget) => {
  const principal = await currentPrincipal(deps, row.workspace_id, row.principal)
  const url = serviceUrl(target.service_id)
  const answer = await callArea(deps, principal, { url })
  if (!isAnswered(answer)) return undefined
  const service = bodyOf(answer, ServiceDetail)
  if (row.deployment_id === null) return { service, ours: null }
  const record = await callArea(deps, principal, { url: `${url}/deployments/${row.deployment_id}` })
  return isAnswered(record) ? { service, ours: bodyOf(record, ServiceDeployment) } : undefined
}

const primaryOf = ({ deployments }: ServiceDetail) => deployments.find(({ status }) => status === 'PRIMARY')

/** @returns why what runs is not what this build has deployed: by the id of the deployment and the digest of the image */
const contradictionOf = ({ state: { row } }: StepContext, target: EcsTarget, service: ServiceDetail,
  ours: ServiceDeployment | null): string | undefined => {
  const primary = primaryOf(service)
  if (ours && ours.aws_deployment_id !== (primary?.id ?? null)) {
    return `Deployment ${primary?.id} took over with ${primary?.task_definition}`
  }
  const held = service.images?.find(({ container }) => container === target.container)
  if (held && held.image !== row.image) return `${target.container} runs ${held.image}, not ${row.image}`
  const digest = row.image === null ? null : digestOf(row.image)
  if (digest === null || !held?.digest || held.digest === digest) return undefined
  return `${target.container} runs ${held.digest}, not ${digest}`
}

const lineOf = ({ running_count: running, desired_count: desired }: ServiceDetail, image: string | null,
  digest: string | null): string => {
  const what = `${image}${digest === null || image?.includes('@') ? '' : `, which is ${digest}`}`
  if (desired === 0) return `The service is scaled to 0: no task shows whether ${what} works`
  return `${running} of ${desired} tasks run; the deployment of ${what} is complete`
}

/**
 * Reads the service again: its primary deployment is the one that this build began, and its tasks are made of that image.
 * How many tasks there are is no question of the rollout: autoscaling moves them.
 */
const verifyService = async (context: StepContext, target: EcsTarget): Promise<'succeeded'> => {
  const { state, signal, log } = context
  for (let contradictions = 0; ; await pause(againMs, signal)) {
    const found = await readService(context, target)
    if (!found) continue
    const { service, ours } = found
    const contradiction = contradictionOf(context, target, service, ours)
    if (contradiction !== undefined) {
      if (++contradictions < maxContradictions) continue
      throw new StepFailed(contradiction)
    }
    const digest = service.images?.find(({ container }) => container === target.container)?.digest ?? null
    await state.write({
      ...(digest !== null && { image_digest: digest }),
      verified: {
        task_definition: service.task_definition?.arn ?? null,
        deployment_id: primaryOf(service)?.id ?? null,
        revision_id: null
      }
    })
    await log(lineOf(service, state.row.image, digest))
    return 'succeeded'
  }
}

const functionContradiction = ({ state: { row } }: StepContext, found: ServerlessFunction): string | undefined => {
  const digest = row.image === null ? null : digestOf(row.image)
  if (found.image !== null && found.image !== row.image) {
    return `The function is made of ${found.image}, not of ${row.image}`
  }
  if (digest === null || found.image_digest === null || found.image_digest === digest) return undefined
  return `The function is made of ${found.image_digest}, not of ${digest}`
}

/** Reads the function again: it can be invoked, and is made of the image that was deployed. */
const verifyFunction = async (context: StepContext, target: LambdaTarget): Promise<'succeeded'> => {
  const { state, signal, log } = context
  const { image } = state.row
  for (let contradictions = 0; ; await pause(againMs, signal)) {
    const found = await readTarget(context, target)
    if (!found || found.state === 'Pending') continue
    const contradiction = functionContradiction(context, found)
    if (contradiction !== undefined) {
      if (++contradictions < maxContradictions) continue
      throw new StepFailed(contradiction)
    }
    if (found.state === 'Failed') throw new StepFailed('The function cannot be invoked: its state is Failed')
    await state.write({
      ...(found.image_digest !== null && { image_digest: found.image_digest }),
      verified: { task_definition: null, deployment_id: null, revision_id: found.revision_id }
    })
    await log(found.image === null
      ? 'The function took the change over; its image may not be read here (lambda:GetFunction)'
      : `The function is ${found.state ?? 'there'} and made of ${image}`)
    await log(describeUnchanged(found))
    return 'succeeded'
  }
}

/** A version may name its image by a tag, and a rollback by the digest. */
const aliasContradiction = ({ state: { row } }: StepContext, serves: ServerlessFunction, name: string): string | undefined => {
  const alias = aliasOf(serves, name)
  if (!alias) return `Alias ${name} is not there, or may not be read`
  if (alias.versions.length > 1) return `Alias ${name} divides its calls between ${describeVersions(alias.versions)}`
  const digest = row.image === null ? null : digestOf(row.image)
  if (digest !== null && serves.image_digest === digest) return undefined
  if (serves.image === null || serves.image === row.image) return undefined
  return `Alias ${name} leads to version ${serves.version}, which is made of ${serves.image}, not of ${row.image}`
}

/** Reads what the alias leads to: one version, which can be invoked, and is made of the image that was deployed. */
const verifyAlias = async (context: StepContext, target: LambdaTarget, name: string): Promise<'succeeded'> => {
  const { state, signal, log } = context
  for (let contradictions = 0; ; await pause(againMs, signal)) {
    const [serves, latest] = [await readTarget(context, target, name), await readTarget(context, target)]
    if (!serves || !latest || serves.state === 'Pending') continue
    const contradiction = aliasContradiction(context, serves, name)
    if (contradiction !== undefined) {
      if (++contradictions < maxContradictions) continue
      throw new StepFailed(contradiction)
    }
    if (serves.state === 'Failed') throw new StepFailed(`Version ${serves.version} cannot be invoked: its state is Failed`)
    await state.write({
      ...(serves.image_digest !== null && { image_digest: serves.image_digest }),
      verified: {
        task_definition: null,
        deployment_id: null,
        revision_id: latest.revision_id,
        alias_revision_id: aliasOf(serves, name)?.revision_id ?? null,
        version: serves.version
      }
    })
    await log(serves.image === null
      ? `Alias ${name} leads to version ${serves.version}; its image may not be read here (lambda:GetFunction)`
      : `Alias ${name} leads to version ${serves.version}, which is ${serves.state ?? 'there'} and made of ${state.row.image}`)
    return 'succeeded'
  }
}

/** Checks that the deployed image is the one that runs. @throws StepFailed when it is not */
export const verify = async (context: StepContext): Promise<'succeeded'> => {
  const { target } = context.state.row
  if (target.kind !== 'lambda') return verifyService(context, target)
  return target.alias === undefined ? verifyFunction(context, target) : verifyAlias(context, target, target.alias)
}
