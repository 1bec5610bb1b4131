import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import chat from './chat.js'
import confirm from './confirm.js'
import { bindJobs } from './jobs.js'
import { Engine } from './lib/engine.js'
import { storePrompt } from './lib/start-chat.js'
import memory from './memory.js'
import runs from './runs.js'
import sessions from './sessions.js'
import title from './title.js'
import toolCalls from './tool-calls.js'

declare module 'fastify' {
  interface FastifyInstance { engine: Engine }
}

const agent: FastifyPluginAsyncTypebox = async (app) => {
  const engine = new Engine(app, app.config.WORKER !== 'false')
  app.decorate('engine', engine)
  app.protect(app, 'agent', 'person')
  bindJobs(app)
  await storePrompt(app)
  app.addHook('onReady', async () => engine.start())
  app.onDrain(() => engine.stop())
  await app.register(chat)
  await app.register(confirm)
  await app.register(sessions)
  await app.register(runs)
  await app.register(toolCalls)
  await app.register(title)
  await app.register(memory)
}

export default agent
