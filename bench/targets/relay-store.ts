import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { serve } from './relay-server.js'

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 })
pool.on('error', (error) => console.error(error))

const begin = {
  name: 'begin',
  text: `with made as (insert into session (workspace_id, id, title) values (1, $1, $2))
    insert into message (session_id, role, content) values ($1, 'user', $3)`
}
const claim = {
  name: 'claim', text: 'insert into tool_call (id, session_id, name, arguments) values ($1, $2, $3, $4)'
}
const projects = {
  name: 'projects', text: 'select id, name from project where workspace_id = 1 order by id limit 20'
}
const settle = {
  name: 'settle', text: 'update tool_call set result = $3, finished_at = now() where session_id = $1 and id = $2'
}
const finish = {
  name: 'finish',
  text: `with said as (insert into message (session_id, role, content) values ($1, 'assistant', $2)),
    touched as (update session set updated_at = now() where id = $1)
    insert into outcome (session_id, stop_reason, output_tokens) values ($1, $3, $4)`
}
const list = {
  name: 'list',
  text: `select id, title, created_at, updated_at from session
    where workspace_id = 1 order by updated_at desc, id desc limit 21`
}

serve({
  begin: async (message) => {
    const id = randomUUID()
    await pool.query({ ...begin, values: [id, message.slice(0, 60), JSON.stringify(message)] })
    return id
  },
  runTool: async (sessionId, call) => {
    await pool.query({ ...claim, values: [call.id, sessionId, call.name, call.json] })
    const { rows } = await pool.query(projects)
    const result = JSON.stringify(rows)
    await pool.query({ ...settle, values: [sessionId, call.id, result] })
    return result
  },
  finish: async (sessionId, turn) => {
    await pool.query({ ...finish, values: [sessionId, JSON.stringify(turn.text), turn.stopReason, turn.outputTokens] })
  },
  list: async () => {
    const { rows } = await pool.query(list)
    return JSON.stringify({ items: rows.slice(0, 20), next_cursor: rows.length > 20 ? rows[19].id : null })
  }
})
