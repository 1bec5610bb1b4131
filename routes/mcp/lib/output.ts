import type { Tool as McpTool } from '@modelcontextprotocol/server'
import { outputSchema } from '../../../lib/openapi/output-schema.js'
import { compileJson } from '../../../lib/openapi/json-schemas.js'
import type { Tool } from '../../../lib/tools/tool.js'

/** What the answers of a tool have in common, as its clients may check it. */
export interface Output {
  schema: NonNullable<McpTool['outputSchema']>
  fits: (value: unknown) => boolean
}

const outputOf = (schema: Output['schema']): Output => ({ schema, fits: compileJson(schema) })

/**
 * What a write answers: a pending approval; or the call itself, as getToolCall has it, where it only reads. Both say
 * where it stands.
 */
export const writeOutput: Output = outputOf({
  type: 'object',
  properties: {
    status: { type: 'string' },
    tool_call_id: { type: 'string' },
    executed: { type: 'boolean' }
  },
  required: ['status', 'tool_call_id']
})

const steps = { type: 'array', items: { type: 'object' } } as const

/** What a proposed plan answers. */
export const planOutput: Output = outputOf({
  type: 'object', properties: { status: { type: 'string' }, steps }, required: ['status', 'steps']
})

/** A plan as it waits or as far as it has come; or the call alone, which is in none. */
export const readPlanOutput: Output = outputOf({ type: 'object', properties: { steps } })

const outputs = new WeakMap<Tool, { output: Output | undefined }>()

const makeOutput = (tool: Tool): Output | undefined => {
  if (tool.effect === 'write') return writeOutput
  const schema = outputSchema(tool.answer)
  return schema && outputOf(schema)
}

/** Made when it is first asked for: a start does not wait for a hundred. @returns undefined for answers of no object */
export const outputFor = (tool: Tool): Output | undefined => {
  const known = outputs.get(tool) ?? { output: makeOutput(tool) }
  outputs.set(tool, known)
  return known.output
}
