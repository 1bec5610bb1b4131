import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import containers from './containers.js'
import functionDeploys from './function-deploys.js'
import functions from './functions.js'
import { defineJobs } from './jobs.js'
import logs from './logs.js'
import serviceDeployments from './service-deployments.js'

const infrastructure: FastifyPluginAsyncTypebox = async (app) => {
  app.protect(app, 'infrastructure')
  await app.register(containers)
  await app.register(serviceDeployments)
  await app.register(functions)
  await app.register(functionDeploys)
  await app.register(logs)
  defineJobs(app)
}

export default infrastructure
