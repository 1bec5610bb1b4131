import type { ECS, Service } from '@aws-sdk/client-ecs'
import type { Db } from '../../../db/index.js'
import { listDeployments, type ServiceKey } from '../../../db/cloud/service-deployments.js'
import { ApiError } from '../../../schemas/errors.js'
import { NoRollbackTarget } from './errors.js'

const looked = 50

/** AWS's own history; it needs permissions that an account may lack, and knows nothing before October 2024. */
const fromAws = async (ecs: ECS, { clusterArn, serviceName, taskDefinition }: Service): Promise<string | undefined> => {
  const { serviceDeployments = [] } = await ecs.listServiceDeployments({
    cluster: clusterArn, service: serviceName, status: ['SUCCESSFUL'], maxResults: 20
  })
  const arns = serviceDeployments.map(({ targetServiceRevisionArn: arn }) => arn).filter((arn) => arn !== undefined)
  if (arns.length === 0) return undefined
  const { serviceRevisions = [] } = await ecs.describeServiceRevisions({ serviceRevisionArns: arns })
  const byArn = new Map(serviceRevisions.map((revision) => [revision.serviceRevisionArn, revision.taskDefinition]))
  return arns.map((arn) => byArn.get(arn)).find((arn) => arn !== undefined && arn !== taskDefinition)
}

/**
 * @returns the task definition that the service ran successfully before the one it has now
 * @throws no_rollback_target when neither our records nor AWS know one
 */
export const findPrevious = async (db: Db, key: ServiceKey, ecs: ECS, service: Service): Promise<string> => {
  const ours = await listDeployments(db, key, looked)
  const began = ours.find(({ target_task_definition: target }) => target === service.taskDefinition)
  if (began && began.previous_task_definition !== service.taskDefinition) return began.previous_task_definition
  const theirs = await fromAws(ecs, service).catch((error: unknown) => {
    if (error instanceof ApiError) return undefined
    throw error
  })
  if (!theirs) throw NoRollbackTarget('No earlier revision of this service is known')
  return theirs
}
