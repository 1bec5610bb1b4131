import { Client, StreamableHTTPClientTransport, type CallToolResult } from '@modelcontextprotocol/client'
import { Ajv } from 'ajv'
import t from '../../tap.js'
import { asAdmin } from '../../app.js'
import { openChat } from '../../chat.js'
import { serviceId } from '../../flows/asking.js'
import { makeToken } from '../account/actors.js'
import { allScopes } from '../../../schemas/account/scopes.js'

const { app, url } = await openChat(t)
const web = await serviceId(app, 'web')
const scopes = allScopes.filter((scope) => scope !== 'approvals:write')
const { headers } = await makeToken(app, asAdmin, scopes, { assistant: true })
const client = new Client({ name: 'test', version: '1.0.0' })
await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp?toolsets=all`), { requestInit: { headers } }))
t.teardown(() => client.close())
const { tools } = await client.listTools()
const find = (name: string) => tools.find((tool) => tool.name === name)
const ajv = new Ajv({ strict: false })

/** The SDK's client itself refuses what does not fit; so does another checker. */
const call = async (name: string, args: Record<string, unknown> = {}) => {
  const result = await client.callTool({ name, arguments: args }) as CallToolResult
  const { outputSchema } = find(name) ?? {}
  if (!result.isError && outputSchema) {
    if (!ajv.validate(outputSchema, result.structuredContent)) throw new Error(`${name}: ${ajv.errorsText()}`)
  }
  return result
}

t.test('the list says for every tool what it answers and whether it is harmless, and stays small', async (t) => {
  t.same(tools.filter(({ outputSchema }) => outputSchema?.type !== 'object').map(({ name }) => name), [])
  t.same(tools.filter(({ title = '' }) => title === '').map(({ name }) => name), [])
  const bytes = (value: unknown) => Buffer.byteLength(JSON.stringify(value))
  const outputs = tools.reduce((sum, { outputSchema }) => sum + bytes(outputSchema), 0)
  t.comment(`${tools.length} tools: ${bytes(tools)} bytes, of them ${outputs} of output schemas`)
  t.ok(outputs < bytes(tools) / 3, `${outputs} of ${bytes(tools)} bytes`)
  t.same(find('listProjects')?.annotations,
    { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false })
  t.match(find('createProject')?.annotations, { readOnlyHint: false, destructiveHint: false, idempotentHint: false })
  t.match(find('scaleService')?.annotations, { readOnlyHint: false, destructiveHint: true, openWorldHint: true })
  const reads = tools.filter(({ annotations }) => annotations?.readOnlyHint)
  t.same(reads.filter(({ annotations: hints }) => hints?.destructiveHint || !hints?.idempotentHint), [])
})

t.test('what every read answers that needs no argument fits what the list promises', async (t) => {
  const open = tools.filter(({ annotations, inputSchema }) =>
    annotations?.readOnlyHint && (inputSchema.required ?? []).length === 0)
  t.ok(open.length > 12, `${open.length} reads`)
  const failed: string[] = []
  for (const { name } of open) {
    const result = await call(name)
    if (result.isError) failed.push(`${name}: ${JSON.stringify(result.content).slice(0, 200)}`)
    else t.type(result.structuredContent, 'object', name)
  }
  t.same(failed, [])
})

t.test('what a write answers fits too: what waits, what was refused, and the outcome', async (t) => {
  const waits = await call('scaleService', { service: web, desired_count: 4 })
  t.match(waits.structuredContent, { status: 'awaiting_approval', executed: false })
  const { tool_call_id } = waits.structuredContent as { tool_call_id: string }
  t.match((await call('getToolCall', { tool_call_id })).structuredContent, { status: 'awaiting', tool_call_id })
  const refused = await call('scaleService', { service: web, desired_count: -1 })
  t.match([refused.isError, refused.structuredContent], [true, undefined])
})
