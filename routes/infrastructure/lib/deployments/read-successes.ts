import type { ECS, Service, ServiceDeploymentBrief } from '@aws-sdk/client-ecs'

/** A deployment of a service that ended well, as one of the two histories has it. */
export interface Success {
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
export const listSuccesses = async (ecs: ECS, { clusterArn, serviceName }: Service):
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
export async function * describeSuccesses (ecs: ECS, records: ServiceDeploymentBrief[]): AsyncGenerator<Success> {
  for (let at = 0; at < records.length; at += batchSize) {
    yield * await describeBatch(ecs, records.slice(at, at + batchSize))
  }
}
