import type { FastifyInstance } from 'fastify'
import type { BuildEngine } from './lib/engine.js'
import { buildJob } from './lib/start-build.js'
import { pushJob, takePush, type Push } from './lib/take-push.js'

/** Background work of the area. A job names an app or a push; the rows say what there is to do. */
export const defineJobs = (app: FastifyInstance, engine: BuildEngine): void => {
  app.jobs.define(buildJob, async (data) => {
    await engine.look({ workspace_id: String(data.workspace_id), app_id: String(data.app_id) })
  }, { expireSeconds: 60 })

  // The code host's area sends what Push says.
  app.jobs.define(pushJob, (data) => takePush(app, data as unknown as Push), { expireSeconds: 60 })
}
