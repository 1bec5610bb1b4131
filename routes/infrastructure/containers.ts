import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { InvalidCursor } from '../../schemas/errors.js'
import {
  ClusterPage, ClusterParams, InventoryQuery, ScaleResult, ScaleService, ServicePage, ServiceParams
} from '../../schemas/infrastructure/services.js'
import { ServiceDetail } from '../../schemas/infrastructure/service-deployments.js'
import {
  AmbiguousIdentifier, AutoscalingConflict, AutoscalingUnknown, awsErrors, CloudAccountNotFound, ClusterNotFound,
  NotScalable, ServiceNotFound, writeErrors, actingFor
} from './lib/errors.js'
import { listClusters, listServices, makePage } from './lib/list-inventory.js'
import { readService } from './lib/services/read-service.js'
import { resolveService } from './lib/services/resolve.js'
import { scaleService } from './lib/services/scale-service.js'
import { scaleTool } from './lib/services/service-tools.js'
import { infrastructureFields } from './lib/field-words.js'

const containers: FastifyPluginAsyncTypebox = async (app) => {
  app.get('/infrastructure/containers/clusters', {
    config: {
      tool: 'read',
      words: {
        core: true,
        foreign: false,
        use: 'Use this to find the ECS clusters, of all cloud accounts and regions or of one.',
        gives: 'the clusters with id, account, region and counts of services and tasks, and which accounts did ' +
          'not answer.',
        keywords: 'container cluster ecs kubernetes environments overview regions',
        fields: infrastructureFields
      },
      errors: [...awsErrors, InvalidCursor, CloudAccountNotFound]
    },
    schema: {
      operationId: 'listClusters',
      summary: 'List container clusters',
      description: 'The ECS clusters of all cloud accounts and regions, or of one. `partial` says that some account ' +
        'or region did not answer, and `errors` which and why. May be up to 30 seconds old.',
      tags: ['infrastructure'],
      querystring: InventoryQuery,
      response: { 200: ClusterPage }
    }
  }, async ({ principal, query }, reply) => {
    const listed = await listClusters(app, principal, query)
    const page = makePage(app, principal, 'clusters', query, listed)
    reply.header('cache-control', 'private').header('age', listed.age)
    return page
  })

  app.get('/infrastructure/containers/clusters/:cluster/services', {
    config: {
      tool: 'read',
      words: {
        core: true,
        foreign: false,
        use: 'Use this to see what runs in a cluster. Start here when you do not know the id of a service.',
        gives: 'the services of one cluster with id, image, running and wanted counts, health and the bounds of ' +
          'autoscaling.',
        keywords: 'what runs in cluster, ecs services, containers, overview, task counts',
        fields: infrastructureFields
      },
      errors: [...awsErrors, InvalidCursor, CloudAccountNotFound, ClusterNotFound, AmbiguousIdentifier]
    },
    schema: {
      operationId: 'listClusterServices',
      summary: 'List the services of a cluster',
      description: 'The ECS services of one cluster with their counts, images, autoscaling bounds and health. The ' +
        'cluster is given by its id or by its name. May be up to 10 seconds old.',
      tags: ['infrastructure'],
      params: ClusterParams,
      querystring: InventoryQuery,
      response: { 200: ServicePage }
    }
  }, async ({ principal, params: { cluster }, query }, reply) => {
    const listed = await listServices(app, principal, cluster, query)
    const page = makePage(app, principal, `services of ${cluster}`, query, listed)
    reply.header('cache-control', 'private').header('age', listed.age)
    return page
  })

  app.get('/infrastructure/containers/services/:service', {
    config: {
      tool: 'read',
      words: {
        core: true,
        foreign: false,
        use: 'Use this first when a container service is unhealthy, restarts, or is about to be changed.',
        gives: 'the service as it is now: counts, health and its reason, deployments, newest events, why tasks ' +
          'stopped, autoscaling.',
        keywords: 'ecs container health healthy unhealthy restart restarting crash loop state events running ' +
          'tasks down',
        fields: infrastructureFields
      },
      errors: [...awsErrors, ServiceNotFound, AmbiguousIdentifier]
    },
    schema: {
      operationId: 'getService',
      summary: 'Read a container service',
      description: 'One ECS service as it is now: counts, health and its reason, deployments, the newest events, why ' +
        'tasks stopped lately, autoscaling bounds. Takes the id of a list, an ARN, or a name such as `web` or ' +
        '`prod/web`.',
      tags: ['infrastructure'],
      params: ServiceParams,
      response: { 200: ServiceDetail }
    }
  }, async ({ principal, params }) =>
    readService(app, await resolveService(app, principal, params.service)))

  app.post('/infrastructure/containers/services/:service/scale', {
    config: {
      tool: scaleTool,
      words: {
        core: true,
        foreign: false,
        use: 'Use this to run more or fewer copies of a container service, or none. It starts no deployment.',
        gives: 'the service with its new count; read it again to see the tasks come up.',
        keywords: 'zero scale copies replicas instances tasks count up down zero stop start capacity ' +
          'autoscaling double more fewer load traffic container',
        fields: infrastructureFields
      },
      errors: [...awsErrors, ...writeErrors, ServiceNotFound, AmbiguousIdentifier, AutoscalingConflict,
        AutoscalingUnknown, NotScalable]
    },
    schema: {
      operationId: 'scaleService',
      summary: 'Scale a container service',
      description: 'Sets how many tasks an ECS service runs. Starts no deployment. A count outside the range of ' +
        'autoscaling is refused unless `autoscaling` says what to do.',
      tags: ['infrastructure'],
      params: ServiceParams,
      body: ScaleService,
      response: { 200: ScaleResult }
    }
  }, async ({ principal, params, body }) =>
    scaleService(actingFor(app, principal), await resolveService(app, principal, params.service), body))
}

export default containers
