import type { FastifyInstance } from 'fastify'
import { Type } from '@sinclair/typebox'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type { SandboxState } from './state.js'
import { FaultBody, ScriptBody, SettingsBody } from './turn.js'

/** The control path for tests: scripts, faults, settings and the journal. */
export function controlRoutes (app: FastifyInstance, state: SandboxState) {
  queueRoutes(app, state)
  recordRoutes(app, state)
}

function queueRoutes (instance: FastifyInstance, state: SandboxState) {
  const app = instance.withTypeProvider<TypeBoxTypeProvider>()

  app.post('/script', { schema: { body: ScriptBody } }, async ({ body }) => {
    state.book.addTurns(body)
    return state.book.pending
  })

  app.delete('/script', async () => {
    state.book.clearTurns()
    return state.book.pending
  })

  app.post('/faults', { schema: { body: FaultBody } }, async ({ body }) => {
    state.book.addFault(body)
    return state.book.pending
  })

  app.delete('/faults', async () => {
    state.book.clearFaults()
    return state.book.pending
  })

  app.get('/pending', async () => state.book.pending)
}

function recordRoutes (instance: FastifyInstance, state: SandboxState) {
  const app = instance.withTypeProvider<TypeBoxTypeProvider>()

  app.get('/requests', { schema: { querystring: Type.Object({ match: Type.Optional(Type.String()) }) } },
    async ({ query }) => ({ items: state.journal.list(query.match) }))

  app.delete('/requests', async () => {
    state.journal.clear()
    return { items: [] }
  })

  app.post('/settings', { schema: { body: SettingsBody } }, async ({ body }) => state.set(body))

  app.post('/reset', async () => {
    state.reset()
    return state.book.pending
  })
}
