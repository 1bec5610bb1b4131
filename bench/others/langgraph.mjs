// LangGraph stores a checkpoint after each step, by its own package for PostgreSQL.
import { randomUUID } from 'node:crypto'
import { ChatAnthropic } from '@langchain/anthropic'
import { tool } from '@langchain/core/tools'
import { PostgresSaver } from '@langchain/langgraph-checkpoint-postgres'
import { createReactAgent } from '@langchain/langgraph/prebuilt'
import pg from 'pg'
import { z } from 'zod'
import { readProjects, serve } from './serve.mjs'

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 })
const checkpointer = new PostgresSaver(pool)
await checkpointer.setup()
const read = readProjects(pool)
const agent = createReactAgent({
  llm: new ChatAnthropic({
    model: 'bench', apiKey: 'bench', maxTokens: 4096, anthropicApiUrl: process.env.MODEL_URL, streaming: true
  }),
  tools: [tool(async () => JSON.stringify(await read()),
    { name: 'listProjects', description: 'List projects', schema: z.object({}) })],
  checkpointer
})

const textOf = (content) => typeof content === 'string'
  ? content
  : content.map((block) => block.type === 'text' ? block.text : '').join('')

serve(async (message, emit) => {
  const stream = await agent.stream({ messages: [{ role: 'user', content: message }] },
    { configurable: { thread_id: randomUUID() }, streamMode: ['messages', 'updates'] })
  for await (const [mode, data] of stream) {
    if (mode === 'messages' && data[0].getType() === 'ai') {
      const text = textOf(data[0].content)
      if (text !== '') emit('content', { text })
    } else if (mode === 'updates') {
      for (const { name, args } of data.agent?.messages.flatMap(({ tool_calls: calls }) => calls ?? []) ?? []) {
        emit('tool_call', { name, arguments: args })
      }
      for (const { name, content } of data.tools?.messages ?? []) emit('tool_result', { name, result: content })
    }
  }
})
