import { asAdmin, type App } from '../../app.js'

export interface Sent { capabilities?: object, headers?: Record<string, string>, meta?: object }

/** Sends one message of 2026-07-28. @returns its answer as its wire has it, with the notifications before it */
export const sendMessage = async (app: App, as: Record<string, string> | undefined, method: string,
  params: Record<string, unknown> = {}, { capabilities = {}, headers = {}, meta = {} }: Sent = {}) => {
  const name = params.name ?? params.uri ?? params.taskId
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': capabilities,
    ...meta
  }
  const answer = await app.inject({
    method: 'POST',
    url: '/mcp',
    headers: {
      'accept': 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...(name !== undefined && { 'mcp-name': String(name) }),
      ...(as ?? asAdmin),
      ...headers
    },
    payload: { jsonrpc: '2.0', id: 7, method, params: { ...params, _meta } }
  })
  if (!/event-stream/.test(String(answer.headers['content-type']))) {
    return { status: answer.statusCode, notes: [], ...answer.json() }
  }
  const messages = [...answer.payload.matchAll(/^data: (.+)$/gm)].map(([, data = '']) => JSON.parse(data))
  return { status: answer.statusCode, notes: messages.slice(0, -1), ...messages.at(-1) }
}
