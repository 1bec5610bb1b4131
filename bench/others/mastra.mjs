// Mastra keeps threads and messages by its memory, in its own package for PostgreSQL.
import { randomUUID } from 'node:crypto'
import { createAnthropic } from '@ai-sdk/anthropic'
import { Agent } from '@mastra/core/agent'
import { Mastra } from '@mastra/core/mastra'
import { createTool } from '@mastra/core/tools'
import { Memory } from '@mastra/memory'
import { PostgresStore } from '@mastra/pg'
import pg from 'pg'
import { z } from 'zod'
import { readProjects, serve } from './serve.mjs'

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 })
const storage = new PostgresStore({ id: 'bench', connectionString: process.env.DATABASE_URL, max: 10 })
await storage.init()
const anthropic = createAnthropic({ baseURL: `${process.env.MODEL_URL}/v1`, apiKey: 'bench' })
const agent = new Agent({
  id: 'bench',
  name: 'bench',
  instructions: 'You read projects.',
  model: anthropic('bench'),
  tools: {
    listProjects: createTool({
      id: 'listProjects', description: 'List projects', inputSchema: z.object({}), execute: readProjects(pool)
    })
  },
  memory: new Memory({ storage })
})
// Registered as an application does it; it says nothing by itself.
new Mastra({ agents: { agent }, storage, logger: false }).getAgent('agent')

serve(async (message, emit) => {
  const stream = await agent.stream(message, { memory: { thread: randomUUID(), resource: 'bench' }, maxSteps: 10 })
  for await (const { type, payload } of stream.fullStream) {
    if (type === 'text-delta') emit('content', { text: payload.text })
    else if (type === 'tool-call') emit('tool_call', { name: payload.toolName, arguments: payload.args })
    else if (type === 'tool-result') emit('tool_result', { name: payload.toolName, result: payload.result })
    else if (type === 'error') throw payload.error
  }
})
