import type { ECS, Service, ServiceDeploymentBrief } from '@aws-sdk/client-ecs'
import type { Db } from '../../../../db/index.js'
import {
  findServiceDeployment, listSucceeded, type DeploymentRow, type ServiceKey
} from '../../../../db/infrastructure/service-deployments.js'
import { ApiError } from '../../../../schemas/errors.js'
import type { RollbackTarget } from '../../../../schemas/infrastructure/service-deployments.js'
import { NoRollbackTarget } from '../errors.js'

/** A deployment of a service that ended well, as one of the two histories has it. */
interface Success {
  task_definition: string
  at: Date
  source: 'aws' | 'steward'
  deployment_id: string | null
  aws_service_deployment_arn: string | null
  /** What the containers' images were when it was deployed; absent where that history does not keep it. */
  digests?: Map<string, string>
}

const pageSize = 100
/** AWS keeps 90 days; a service that is deployed more often than this in that time has its target among these. */
const maxPages = 3
/** What DescribeServiceRevisions takes at once. */
const batchSize = 20

const timeOf = ({ finishedAt, startedAt, createdAt }: ServiceDeploymentBrief): Date =>
  finishedAt ?? startedAt ?? createdAt ?? new Date(0)

/** @returns the deployments that AWS calls successful, newest first. @throws what AWS answers */
const listSuccesses = async (ecs: ECS, { clusterArn, serviceName }: Service):
Promise<ServiceDeploymentBrief[]> => {
  const found: ServiceDeploymentBrief[] = []
  let token: string | undefined
  for (let pages = 0; pages < maxPages; pages++) {
    const answer = await ecs.listServiceDeployments({
      cluster: clusterArn, service: serviceName, status: ['SUCCESSFUL'], maxResults: pageSize, nextToken: token
    })
    found.push(...answer.serviceDeployments ?? [])
    if (answer.nextToken === undefined || answer.nextToken === token) break
    token = answer.nextToken
  }
  return found.sort((a, b) => timeOf(b).getTime() - timeOf(a).getTime())
}

const describeBatch = async (ecs: ECS, records: ServiceDeploymentBrief[]): Promise<Success[]> => {
  const arns = [...new Set(records.flatMap(({ targetServiceRevisionArn: arn }) => arn ?? []))]
  if (arns.length === 0) return []
  const { serviceRevisions = [] } = await ecs.describeServiceRevisions({ serviceRevisionArns: arns })
  const byArn = new Map(serviceRevisions.map((revision) => [revision.serviceRevisionArn, revision]))
  return records.flatMap((record) => {
    const revision = byArn.get(record.targetServiceRevisionArn)
    if (!revision?.taskDefinition) return []
    return [{
      task_definition: revision.taskDefinition,
      at: timeOf(record),
      source: 'aws' as const,
      deployment_id: null,
      aws_service_deployment_arn: record.serviceDeploymentArn ?? null,
      digests: new Map((revision.containerImages ?? []).flatMap(({ containerName, imageDigest }) =>
        containerName && imageDigest ? [[containerName, imageDigest]] : []))
    }]
  })
}

/**
 * Names the task definitions of AWS's records a batch at a time: the first batch nearly always has what is looked for.
 * @throws what AWS answers
 */
async function * describeSuccesses (ecs: ECS, records: ServiceDeploymentBrief[]): AsyncGenerator<Success> {
  for (let at = 0; at < records.length; at += batchSize) {
    yield * await describeBatch(ecs, records.slice(at, at + batchSize))
  }
}

const historyLimit = 100

const toSuccess = (row: DeploymentRow): Success => ({
  task_definition: row.target_task_definition ?? '',
  at: row.finished_at ?? row.created_at,
  source: 'steward',
  deployment_id: row.id,
  aws_service_deployment_arn: row.aws_service_deployment_arn
})

/** @returns family:revision of an ARN */
const revisionOf = (arn: string): string => arn.split('/').at(-1) ?? arn

const isUnsupported = (error: unknown) => error instanceof ApiError && error.code === 'unsupported'

/** Without AWS's history the newest success is unknown: the error names what our own records have. */
const withOwn = (error: unknown, own: Success[]): unknown => {
  if (!(error instanceof ApiError)) return error
  const [first] = own
  const advice = first
    ? `Our own records have ${revisionOf(first.task_definition)}: say rollback_to: ${first.deployment_id} to run it`
    : 'Say task_definition to name the revision yourself'
  const { code, title, statusCode, message, members, headers } = error
  const detail = `AWS's history of the service could not be read: ${message} ${advice}.`
  return new ApiError(code, title, statusCode, detail, members).withHeaders(headers)
}

/** @returns both histories as one, newest first; where both have a deployment, AWS's record counts */
async function * mergeSuccesses (ecs: ECS, service: Service, own: Success[]): AsyncGenerator<Success> {
  // An endpoint that keeps no history leaves ours as the only one; any other refusal may hide a newer success.
  const records = await listSuccesses(ecs, service).catch((error: unknown) => {
    if (isUnsupported(error)) return []
    throw withOwn(error, own)
  })
  const known = new Set(records.map(({ serviceDeploymentArn: arn }) => arn))
  const ours = own.filter(({ aws_service_deployment_arn: arn }) => arn === null || !known.has(arn))
  for await (const theirs of describeSuccesses(ecs, records)) {
    for (; ours[0] && ours[0].at > theirs.at; ours.shift()) yield ours[0]
    yield theirs
  }
  yield * ours
}

interface Definition { images: RollbackTarget['images'], active: boolean }

/** @returns undefined when AWS has deleted it */
const readDefinition = async (ecs: ECS, { task_definition: arn, digests }: Success):
Promise<Definition | undefined> => {
  const answer = await ecs.describeTaskDefinition({ taskDefinition: arn }).catch((error: unknown) => {
    if (error instanceof ApiError && error.code === 'aws_resource_not_found') return undefined
    throw error
  })
  if (!answer?.taskDefinition) return undefined
  const { containerDefinitions = [], status } = answer.taskDefinition
  const images = containerDefinitions.map(({ name = '', image = '' }) => ({
    container: name, image, digest: digests?.get(name) ?? /@(sha256:[0-9a-f]{64})$/.exec(image)?.[1] ?? null
  }))
  return { images, active: status !== 'INACTIVE' && status !== 'DELETE_IN_PROGRESS' }
}

const toTarget = (success: Success, { images }: Definition, passedOver: string[]): RollbackTarget => ({
  task_definition: success.task_definition,
  revision: revisionOf(success.task_definition),
  images,
  source: success.source,
  deployment_id: success.deployment_id,
  aws_service_deployment_arn: success.aws_service_deployment_arn,
  succeeded_at: success.at,
  passed_over: passedOver
})

/** @returns the first that fits and that AWS still lets run; one that is deregistered is passed over, and named */
const choose = async (ecs: ECS, successes: AsyncIterable<Success>, fits: (arn: string) => boolean):
Promise<RollbackTarget | string[]> => {
  const seen = new Set<string>()
  const passedOver: string[] = []
  for await (const success of successes) {
    const arn = success.task_definition
    if (!fits(arn) || seen.has(arn)) continue
    seen.add(arn)
    const definition = await readDefinition(ecs, success)
    if (definition?.active) return toTarget(success, definition, passedOver)
    passedOver.push(revisionOf(arn))
  }
  return passedOver
}

async function * only (success: Success): AsyncGenerator<Success> { yield success }

const gone = (passedOver: string[]) => passedOver.length > 0
  ? ` (${passedOver.join(', ')} succeeded, but AWS has it deregistered)`
  : ''

const ofDeployment = async (ecs: ECS, row: DeploymentRow | undefined): Promise<RollbackTarget> => {
  if (!row) throw NoRollbackTarget('rollback_to names no deployment of this service; listServiceDeployments has them')
  if (row.status !== 'succeeded' || row.target_task_definition === null) {
    throw NoRollbackTarget(`Deployment ${row.id} is ${row.status}, so nothing shows that its revision works. ` +
      'Say task_definition to run it all the same',
    { deployment_id: row.id, task_definition: row.target_task_definition })
  }
  const chosen = await choose(ecs, only(toSuccess(row)), () => true)
  if (!Array.isArray(chosen)) return chosen
  throw NoRollbackTarget(`The revision of deployment ${row.id} can run no more${gone(chosen)}`)
}

const idForm = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/**
 * Finds the exact revision that a rollback runs, and changes nothing.
 * @param rollbackTo `previous`: the newest revision that succeeded and is not the present one, from AWS's history of
 * service deployments and our own records; the id of a deployment of ours that succeeded; or a revision, as ARN or
 * family:revision, that one of the histories has as succeeded: what an approval pins
 * @throws no_rollback_target when no history has such a success; what AWS answers when its history cannot be read
 */
export const findRollbackTarget = async (db: Db, key: ServiceKey, ecs: ECS, service: Service, rollbackTo: string):
Promise<RollbackTarget> => {
  if (idForm.test(rollbackTo)) return ofDeployment(ecs, await findServiceDeployment(db, key, rollbackTo))
  const own = (await listSucceeded(db, key, historyLimit)).map(toSuccess)
  const previous = rollbackTo === 'previous'
  const present = service.taskDefinition ?? ''
  const fits = previous
    ? (arn: string) => arn !== present
    : (arn: string) => arn === rollbackTo || revisionOf(arn) === rollbackTo
  const fitting = own.filter(({ task_definition: arn }) => fits(arn))
  // A named revision needs one success; the newest of all is known from both histories only.
  const successes = !previous && fitting[0] ? only(fitting[0]) : mergeSuccesses(ecs, service, fitting)
  const chosen = await choose(ecs, successes, fits)
  if (!Array.isArray(chosen)) return chosen
  throw NoRollbackTarget(previous
    ? `No revision but ${revisionOf(present)} is known to have run successfully${gone(chosen)}`
    : `${rollbackTo} is not known to have run successfully${gone(chosen)}. Say task_definition to run it all the same`)
}
