import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { findServiceDeployment, listDeployments } from '../../db/infrastructure/service-deployments.js'
import { paginateById } from '../../lib/http/paginate.js'
import { InvalidCursor, StateChanged, TargetBusy } from '../../schemas/errors.js'
import {
  CancelDeployment, DeployService, DryRun, HistoryQuery, ServiceDeployment, ServiceDeploymentPage, ServiceDeploymentParams,
  RollbackQuery, RollbackTarget
} from '../../schemas/infrastructure/service-deployments.js'
import { ServiceParams } from '../../schemas/infrastructure/services.js'
import { cancelDeployment } from './lib/deployments/cancel-deployment.js'
import { dryRun, readRollbackTarget, startDeployment } from './lib/deployments/start-deployment.js'
import { describeDeploymentRow } from './lib/services/read-failures.js'
import {
  AmbiguousIdentifier, awsErrors, ContainerUnknown, DeploymentConflict, DeploymentFinished, DeploymentInProgress,
  DeploymentNotCancellable, DeploymentNotFound, ImageNotFound, NoRollbackTarget, NotDeployable, NothingToDeploy, ServiceNotFound
} from './lib/errors.js'
import { cancelDeploymentTool, deployTool } from './lib/services/service-tools.js'
import { keyOf, resolveService } from './lib/services/resolve.js'
import { infrastructureFields } from './lib/field-words.js'

const serviceDeployments: FastifyPluginAsyncTypebox = async (app) => {
  app.post('/infrastructure/containers/services/:service/deploy', {
    config: {
      tool: deployTool,
      words: {
        core: true,
        foreign: false,
        use: 'Use this to bring another image or an earlier revision to a container service, or to restart it. ' +
          'Give exactly one of image, images, task_definition, rollback_to and force_new_deployment.',
        gives: 'the deployment that began; follow it with getServiceDeployment.',
        keywords: 'deploy ship release roll out image restart force new revision roll back container ecs ' +
          'service',
        fields: infrastructureFields
      },
      errors: [...awsErrors, ServiceNotFound, AmbiguousIdentifier, NotDeployable, DeploymentConflict,
        DeploymentInProgress, ContainerUnknown, NoRollbackTarget, NothingToDeploy, ImageNotFound, StateChanged]
    },
    schema: {
      operationId: 'deployService',
      summary: 'Deploy a container service',
      description: 'Starts a deployment of an ECS service and watches it to its true end: with `image` or `images` a ' +
        'new revision that differs in nothing else, with `task_definition` one that exists, with `rollback_to` an ' +
        'earlier one, with `force_new_deployment` the same one anew. Say exactly one of them. An image that ECR does ' +
        'not have is refused. Answers 202 at once; ' +
        'read the deployment to follow it. It is sent only while the service still runs what it ran at this request; ' +
        'else it ends as `superseded`, and nothing was registered. With `dry_run` it answers 200 with what would ' +
        'change.',
      tags: ['infrastructure'],
      params: ServiceParams,
      body: DeployService,
      response: { 200: DryRun, 202: ServiceDeployment }
    }
  }, async ({ principal, params, body }, reply) => {
    const ref = await resolveService(app, principal, params.service)
    if (body.dry_run) return reply.code(200).send(await dryRun(app, ref, body))
    const row = describeDeploymentRow(await startDeployment(app, ref, body, principal))
    const url = `/infrastructure/containers/services/${encodeURIComponent(row.service_id)}/deployments/${row.id}`
    return reply.code(202).header('location', url).send(row)
  })

  app.get('/infrastructure/containers/services/:service/deployments', {
    config: {
      tool: 'read',
      words: {
        foreign: false,
        use: 'Use this to see what was deployed to a container service before, by whom, and how it ended.',
        gives: 'the deployments made here, newest first.',
        keywords: 'history rollouts releases of a container service, who deployed',
        fields: infrastructureFields
      },
      errors: [...awsErrors, InvalidCursor, ServiceNotFound, AmbiguousIdentifier]
    },
    schema: {
      operationId: 'listServiceDeployments',
      summary: 'List the deployments of a service',
      description: 'The deployments that were made here, newest first: who, what changed, how it ended and why.',
      tags: ['infrastructure'],
      params: ServiceParams,
      querystring: HistoryQuery,
      response: { 200: ServiceDeploymentPage }
    }
  }, async ({ principal, params, query }) => {
    const key = keyOf(await resolveService(app, principal, params.service))
    const page = await paginateById(app, { principal, list: 'service_deployments', filter: key, query },
      ({ before, limit }) => listDeployments(app.db, key, limit, before))
    return { ...page, items: page.items.map(describeDeploymentRow) }
  })

  app.get('/infrastructure/containers/services/:service/deployments/:deployment_id', {
    config: {
      tool: 'read',
      words: {
        core: true,
        foreign: false,
        use: 'Use this to follow a deployment of a container service until it has ended.',
        gives: 'its progress, what it changes, whether this very deployment won, and why tasks failed.',
        keywords: 'new version live rollout progress finished succeeded failed follow status of ' +
          'deployment',
        fields: infrastructureFields
      },
      errors: [...awsErrors, ServiceNotFound, DeploymentNotFound, AmbiguousIdentifier]
    },
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
    const key = keyOf(await resolveService(app, principal, params.service))
    const row = await findServiceDeployment(app.db, key, params.deployment_id)
    if (!row) throw DeploymentNotFound()
    return describeDeploymentRow(row)
  })

  app.post('/infrastructure/containers/services/:service/deployments/:deployment_id/cancel', {
    config: {
      tool: cancelDeploymentTool,
      emptyBody: {},
      words: {
        foreign: false,
        use: 'Use this to stop a deployment of a container service that is under way. The service goes back to ' +
          'what it ran.',
        gives: 'the deployment; read it again until it is rolled back.',
        keywords: 'abort halt stop rollout in progress release undo',
        fields: infrastructureFields
      },
      errors: [...awsErrors, ServiceNotFound, DeploymentNotFound, AmbiguousIdentifier, DeploymentFinished,
        DeploymentNotCancellable, StateChanged, TargetBusy]
    },
    schema: {
      operationId: 'cancelServiceDeployment',
      summary: 'Cancel a deployment of a service',
      description: 'Stops a deployment that is live. Nothing sent yet: 200, it is `stopped`, and the service was not ' +
        'touched. Else 202: ECS stops the service deployment and goes back to `previous_task_definition`; read the ' +
        'deployment until it is `rolled_back`. What AWS refuses is the answer, and the deployment goes on. Again = ' +
        'the same answer.',
      tags: ['infrastructure'],
      params: ServiceDeploymentParams,
      body: CancelDeployment,
      response: { 200: ServiceDeployment, 202: ServiceDeployment }
    }
  }, async ({ principal, params, body }, reply) => {
    const ref = await resolveService(app, principal, params.service)
    const row = await cancelDeployment(app, ref, params.deployment_id, principal, body)
    return reply.code(row.finished_at === null ? 202 : 200).send(describeDeploymentRow(row))
  })

  app.get('/infrastructure/containers/services/:service/rollback-target', {
    config: {
      errors: [...awsErrors, ServiceNotFound, AmbiguousIdentifier, NoRollbackTarget]
    },
    schema: {
      operationId: 'getRollbackTarget',
      summary: 'Read what a rollback would run',
      description: 'The exact revision, with its images, to which `rollback_to` leads now. Without the parameter the ' +
        'newest one that succeeded and is not the present one, by the history of AWS and the deployments made here. ' +
        'A history that cannot be read is that error, never "nothing to go back to".',
      tags: ['infrastructure'],
      params: ServiceParams,
      querystring: RollbackQuery,
      response: { 200: RollbackTarget }
    }
  }, async ({ principal, params, query }) =>
    readRollbackTarget(app, await resolveService(app, principal, params.service), query.rollback_to))
}

export default serviceDeployments
