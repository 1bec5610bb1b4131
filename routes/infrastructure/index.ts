import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { defineDueJobs } from '../../lib/durable/due-jobs.js'
import alarms from './alarms.js'
import containers from './containers.js'
import diagnosis from './diagnosis.js'
import functions from './functions.js'
import { deploymentKind } from './lib/deployments/advance-deployment.js'
import logs from './logs.js'
import metrics from './metrics.js'
import serviceDeployments from './service-deployments.js'
import tasks from './tasks.js'

const infrastructure: FastifyPluginAsyncTypebox = async (app) => {
  app.protect(app, 'infrastructure', 'workspace', 'anywhere')
  await app.register(containers)
  await app.register(serviceDeployments)
  await app.register(tasks)
  await app.register(functions)
  await app.register(logs)
  await app.register(metrics)
  await app.register(alarms)
  await app.register(diagnosis)
  defineDueJobs(app, deploymentKind)
}

export default infrastructure
