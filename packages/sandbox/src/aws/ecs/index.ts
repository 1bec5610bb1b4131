import type { Operation } from '../core/operation.js'
import { clusterOperations } from './clusters.js'
import { createOperations } from './create-service.js'
import { serviceDeploymentOperations } from './service-deployments.js'
import { serviceOperations } from './services.js'
import { tagOperations } from './tag-resource.js'
import { taskDefinitionOperations } from './task-definitions.js'
import { taskOperations } from './task-operations.js'
import { updateOperations } from './update-service.js'

export const ecsOperations: Record<string, Operation> = {
  ...clusterOperations,
  ...serviceOperations,
  ...taskOperations,
  ...taskDefinitionOperations,
  ...tagOperations,
  ...updateOperations,
  ...createOperations,
  ...serviceDeploymentOperations
}
