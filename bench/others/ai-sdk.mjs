// The AI SDK stores nothing itself: its documentation has the application keep the messages when a stream ends.
import { randomUUID } from 'node:crypto'
import { createAnthropic } from '@ai-sdk/anthropic'
import { isStepCount, streamText, tool } from 'ai'
import pg from 'pg'
import { z } from 'zod'
import { readProjects, serve } from './serve.mjs'

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 })
const anthropic = createAnthropic({ baseURL: `${process.env.MODEL_URL}/v1`, apiKey: 'bench' })
const tools = {
  listProjects: tool({ description: 'List projects', inputSchema: z.object({}), execute: readProjects(pool) })
}
const begin = {
  name: 'begin',
  text: `with made as (insert into session (workspace_id, id, title) values (1, $1, $2))
    insert into message (session_id, role, content) values ($1, 'user', $3)`
}
const keep = {
  name: 'keep',
  text: `insert into message (session_id, role, content)
    select $1, value ->> 'role', value -> 'content' from json_array_elements($2::json)`
}

serve(async (message, emit) => {
  const id = randomUUID()
  await pool.query({ ...begin, values: [id, message.slice(0, 60), JSON.stringify(message)] })
  const result = streamText({
    model: anthropic('bench'),
    messages: [{ role: 'user', content: message }],
    tools,
    stopWhen: isStepCount(10),
    onFinish: async ({ response }) => {
      await pool.query({ ...keep, values: [id, JSON.stringify(response.messages)] })
    }
  })
  for await (const part of result.fullStream) {
    if (part.type === 'text-delta') emit('content', { text: part.text })
    else if (part.type === 'tool-call') emit('tool_call', { name: part.toolName, arguments: part.input })
    else if (part.type === 'tool-result') emit('tool_result', { name: part.toolName, result: part.output })
    else if (part.type === 'error') throw part.error
  }
})
