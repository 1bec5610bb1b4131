import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { RunBatches } from '../../db/agent/run-batches.js'
import { groupedByWorkspace, type Grouped, type OfWorkspace } from '../../db/grouped.js'
import { listInstructions } from '../../lib/account/projects.js'
import type { ProjectInstructions } from '../../schemas/account/projects.js'
import attachments from './attachments.js'
import chat from './chat.js'
import confirm from './confirm.js'
import events from './events.js'
import { bindJobs } from './jobs.js'
import sessionExport from './export.js'
import feedback from './feedback.js'
import grants from './grants.js'
import { Engine } from './lib/loop/engine.js'
import { Queue } from './lib/sessions/queue-message.js'
import { promptStore } from './lib/window/prompt.js'
import memory from './memory.js'
import models from './models.js'
import queue from './queue.js'
import reports from './reports.js'
import runs from './runs.js'
import sessions from './sessions.js'
import shared from './shared.js'
import steps from './steps.js'
import title from './title.js'
import toolCalls from './tool-calls.js'
import tools from './tools.js'
import triggers from './triggers.js'

declare module 'fastify' {
  interface FastifyInstance {
    engine: Engine
    queue: Queue
    runBatches: RunBatches
    /** Of the id of a project of a workspace, its instructions. */
    projectLookUps: Grouped<OfWorkspace<string>, ProjectInstructions | undefined>
  }
  interface FastifyContextConfig {
    /** It begins a run here: an instance without room refuses it before it looks at anything else. */
    needsRoom?: true
  }
}

/** What needs credentials. */
const secured: FastifyPluginAsyncTypebox = async (app) => {
  // Before credentials are looked up and the body is read. Who repeats a request may only come back: see startChat.
  app.addHook('onRequest', async ({ routeOptions: { config }, headers }) => {
    if (config.needsRoom && headers['idempotency-key'] === undefined) app.engine.requireRoom()
  })
  app.protect(app, 'agent', 'person', 'anywhere')
  app.leaveUngated(app, 'a person\'s conversations and decisions: what follows from them is judged when it is sent')
  const storePrompt = promptStore(app)
  await storePrompt(app.home.workspace_id)
  app.addHook('preHandler', ({ principal }) => storePrompt(principal.workspace_id))
  await app.register(chat)
  await app.register(attachments)
  await app.register(confirm)
  await app.register(steps)
  await app.register(grants)
  await app.register(sessions)
  await app.register(sessionExport)
  await app.register(shared)
  await app.register(feedback)
  await app.register(queue)
  await app.register(runs)
  await app.register(toolCalls)
  await app.register(tools)
  await app.register(title)
  await app.register(models)
  await app.register(memory)
  await app.register(triggers)
  await app.register(reports)
}

const agent: FastifyPluginAsyncTypebox = async (app) => {
  app.decorate('runBatches', new RunBatches(app.db))
  app.decorate('projectLookUps', groupedByWorkspace(
    (workspaceId, ids: readonly string[]) => listInstructions(app.db, workspaceId, ids)))
  const waiting = new Queue(() => app)
  app.decorate('queue', waiting)
  const engine = new Engine(app, app.config.WORKER !== 'false', ({ key }) => { void waiting.sendFirst(key) })
  app.decorate('engine', engine)
  bindJobs(app)
  app.addHook('onReady', async () => engine.start())
  app.onDrain(() => engine.stop())
  await app.register(secured)
  await app.register(events)
}

export default agent
