import type { FastifyInstance } from 'fastify'
import { advanceDue } from '../../../lib/durable/due-jobs.js'
import { deploymentKind } from '../../../routes/infrastructure/lib/deployments/advance-deployment.js'

/** Does what the job of a deployment does. @returns seconds until its next poll */
export const advanceDeployment = (app: FastifyInstance, workspaceId: string, id: string): Promise<number | undefined> =>
  advanceDue(app, deploymentKind, { workspace_id: workspaceId, id })
