import { randomUUID } from 'node:crypto'
import { serve } from './relay-server.js'

const projects = JSON.stringify(Array.from({ length: 20 }, (_, index) => ({ id: index, name: `Project ${index}` })))

serve({
  begin: async () => randomUUID(),
  runTool: async () => projects,
  finish: async () => {},
  list: async () => '{"items":[],"next_cursor":null}'
})
