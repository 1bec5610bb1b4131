import { createServer } from 'node:http'

/** What the tool of each engine reads, as the relay that stores does. */
export const readProjects = (pool) => async () => {
  const { rows } = await pool.query({
    name: 'projects', text: 'select id, name from project where workspace_id = 1 order by id limit 20'
  })
  return rows
}

const answer = async (chat, request, response) => {
  if (request.method !== 'POST') return response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  let body = ''
  for await (const part of request.setEncoding('utf8')) body += part
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' })
  const emit = (type, data) => response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`)
  await chat(JSON.parse(body).message, emit)
  emit('done', {})
  response.end()
}

/**
 * Serves POST /chat and GET /ready in the events that the client of the benchmark counts.
 * @param chat runs the engine with a message and emits `content`, `tool_call` and `tool_result`
 */
export const serve = (chat) => {
  const server = createServer((request, response) => {
    answer(chat, request, response).catch((error) => {
      console.error(error)
      response.destroy()
    })
  })
  server.keepAliveTimeout = 60_000
  server.listen({ host: '127.0.0.1', port: Number(process.env.PORT), backlog: 4096 })
  process.once('SIGTERM', () => process.exit(0))
  process.once('disconnect', () => process.exit(0))
}
