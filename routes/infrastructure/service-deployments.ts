import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { findServiceDeployment, listDeployments } from '../../db/cloud/service-deployments.js'
import { InvalidCursor } from '../../schemas/errors.js'
import {
  DeployService, DryRun, HistoryQuery, ServiceDeployment, ServiceDeploymentPage, ServiceDeploymentParams
} from '../../schemas/infrastructure/service-deployments.js'
import { ServiceParams } from '../../schemas/infrastructure/services.js'
import { describeDeploymentRow } from './lib/describe-deployment.js'
import {
  AmbiguousIdentifier, awsErrors, ContainerUnknown, DeploymentConflict, DeploymentInProgress, DeploymentNotFound,
  NoRollbackTarget, NotDeployable, ServiceNotFound
} from './lib/errors.js'
import { previewDeploy, summarizeDeploy } from './lib/preview-deploy.js'
import { keyOf, resolveService } from './lib/resolve.js'
import { dryRun, startDeployment } from './lib/start-deployment.js'

const deployment: FastifyPluginAsyncTypebox = async (app) => {
  app.post('/infrastructure/containers/services/:service/deploy', {
    config: {
      tool: { effect: 'write', risk: 'high', summary: summarizeDeploy, preview: previewDeploy },
      errors: [...awsErrors, ServiceNotFound, AmbiguousIdentifier, NotDeployable, DeploymentConflict,
        DeploymentInProgress, ContainerUnknown, NoRollbackTarget]
    },
    schema: {
      operationId: 'deployService',
      summary: 'Deploy a container service',
      description: 'Starts a deployment of an ECS service and watches it to its true end: with `image` or `images` a ' +
        'new revision that differs in nothing else, with `task_definition` one that exists, with `rollback_to` an ' +
        'earlier one, with `force_new_deployment` the same one anew. Say exactly one of them. Answers 202 at once; ' +
        'read the deployment to follow it. With `dry_run` it answers 200 with what would change.',
      tags: ['infrastructure'],
      params: ServiceParams,
      body: DeployService,
      response: { 200: DryRun, 202: ServiceDeployment }
    }
  }, async ({ principal, params, body }, reply) => {
    const place = await resolveService(app, principal.workspace_id, params.service)
    if (body.dry_run) return reply.code(200).send(await dryRun(app, place, body))
    const row = describeDeploymentRow(await startDeployment(app, place, body, principal))
    const url = `/infrastructure/containers/services/${encodeURIComponent(row.service_id)}/deployments/${row.id}`
    return reply.code(202).header('location', url).send(row)
  })
}

const history: FastifyPluginAsyncTypebox = async (app) => {
  app.get('/infrastructure/containers/services/:service/deployments', {
    config: { tool: 'read', errors: [...awsErrors, InvalidCursor, ServiceNotFound, AmbiguousIdentifier] },
    schema: {
      operationId: 'listServiceDeployments',
      summary: 'List the deployments of a service',
      description: 'The deployments that were made here, newest first: who, what changed, how it ended and why.',
      tags: ['infrastructure'],
      params: ServiceParams,
      querystring: HistoryQuery,
      response: { 200: ServiceDeploymentPage }
    }
  }, async ({ principal, params, query: { cursor, limit } }) => {
    const key = keyOf(await resolveService(app, principal.workspace_id, params.service))
    const after = cursor === undefined ? [] : app.cursors.open(principal, 'service_deployments', key, cursor)
    const rows = await listDeployments(app.db, key, limit + 1, after[0] === undefined ? undefined : String(after[0]))
    const last = rows.length > limit ? rows[limit - 1] : undefined
    const next = last ? app.cursors.seal(principal, 'service_deployments', key, [last.id]) : null
    return { items: rows.slice(0, limit).map(describeDeploymentRow), next_cursor: next }
  })
}

const single: FastifyPluginAsyncTypebox = async (app) => {
  app.get('/infrastructure/containers/services/:service/deployments/:deployment_id', {
    config: { tool: 'read', errors: [...awsErrors, ServiceNotFound, DeploymentNotFound, AmbiguousIdentifier] },
    schema: {
      operationId: 'getServiceDeployment',
      summary: 'Read a deployment of a service',
      description: 'How a deployment goes or how it ended: `succeeded` only if this very deployment won. Carries the ' +
        'changes, the progress and why its tasks failed.',
      tags: ['infrastructure'],
      params: ServiceDeploymentParams,
      response: { 200: ServiceDeployment }
    }
  }, async ({ principal, params }) => {
    const key = keyOf(await resolveService(app, principal.workspace_id, params.service))
    const row = await findServiceDeployment(app.db, key, params.deployment_id)
    if (!row) throw DeploymentNotFound()
    return describeDeploymentRow(row)
  })
}

const serviceDeployments: FastifyPluginAsyncTypebox = async (app) => {
  for (const part of [deployment, history, single]) await app.register(part)
}

export default serviceDeployments
