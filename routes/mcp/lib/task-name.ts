import { fieldsOf, textIn } from '../../../schemas/unknown.js'

/**
 * The header by which proxies route a task's messages must name that task (SEP-2663, Routing Headers); the SDK checks
 * those of its own methods.
 * @returns the error of a message whose header names another task, or none
 */
export const headerMismatchOf = (headers: Record<string, string>, body: unknown): Response | undefined => {
  if (!/^tasks\/(get|update|cancel)$/.test(textIn(body, 'method') ?? '')) return undefined
  const { id = null, params } = fieldsOf(body)
  if (headers['mcp-name']?.trim() === textIn(params, 'taskId')) return undefined
  const error = { code: -32020, message: 'The header Mcp-Name must be the taskId of the request' }
  return Response.json({ jsonrpc: '2.0', id, error }, { status: 400 })
}
