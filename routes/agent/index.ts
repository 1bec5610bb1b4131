import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { RunBatches } from '../../db/agent/run-batches.js'
import { groupedByWorkspace, type Grouped, type OfWorkspace } from '../../db/grouped.js'
import { projectsExist } from '../../lib/account/projects.js'
import chat from './chat.js'
import confirm from './confirm.js'
import { bindJobs } from './jobs.js'
import sessionExport from './export.js'
import feedback from './feedback.js'
import { Engine } from './lib/engine.js'
import { promptStore } from './lib/start-chat.js'
import memory from './memory.js'
import runs from './runs.js'
import sessions from './sessions.js'
import shared from './shared.js'
import title from './title.js'
import toolCalls from './tool-calls.js'
import tools from './tools.js'

declare module 'fastify' {
  interface FastifyInstance {
    engine: Engine
    runBatches: RunBatches
    /** Whether an id is a project of a workspace. */
    projectLookUps: Grouped<OfWorkspace<string>, boolean>
  }
  interface FastifyContextConfig {
    /** It begins a run here: an instance without room refuses it before it looks at anything else. */
    needsRoom?: true
  }
}

const agent: FastifyPluginAsyncTypebox = async (app) => {
  app.decorate('runBatches', new RunBatches(app.db))
  app.decorate('projectLookUps', groupedByWorkspace(
    (workspaceId, ids: readonly string[]) => projectsExist(app.db, workspaceId, ids)))
  const engine = new Engine(app, app.config.WORKER !== 'false')
  app.decorate('engine', engine)
  // Before credentials are looked up and the body is read. Who repeats a request may only come back: see startChat.
  app.addHook('onRequest', async ({ routeOptions: { config }, headers }) => {
    if (config.needsRoom && headers['idempotency-key'] === undefined) engine.requireRoom()
  })
  app.protect(app, 'agent', 'person')
  bindJobs(app)
  const storePrompt = promptStore(app)
  await storePrompt(app.home.workspace_id)
  app.addHook('preHandler', ({ principal }) => storePrompt(principal.workspace_id))
  app.addHook('onReady', async () => engine.start())
  app.onDrain(() => engine.stop())
  await app.register(chat)
  await app.register(confirm)
  await app.register(sessions)
  await app.register(sessionExport)
  await app.register(shared)
  await app.register(feedback)
  await app.register(runs)
  await app.register(toolCalls)
  await app.register(tools)
  await app.register(title)
  await app.register(memory)
}

export default agent
