import { invalid } from '../api-error.js'
import { requireRecord, requireString, isRecord } from './shape.js'

const nameForm = /^[a-zA-Z0-9_-]{1,128}$/
const strictLimit = 20
const fields = ['type', 'name', 'description', 'input_schema', 'cache_control', 'strict', 'defer_loading',
  'allowed_callers', 'eager_input_streaming', 'input_examples']

/** Checks the tools of a request as the API does. */
export function validateTools (tools: unknown[] = []) {
  const names = new Set<string>()
  tools.forEach((tool, index) => {
    const path = `tools.${index}`
    requireRecord(tool, path)
    const isCustom = tool.type === undefined || tool.type === null || tool.type === 'custom'
    if (isCustom) validateCustom(tool, `${path}.custom`)
    const name = String(tool.name ?? tool.type)
    if (names.has(name)) throw invalid('tools: Tool names must be unique.')
    names.add(name)
  })
  const strict = tools.filter((tool) => isRecord(tool) && tool.strict === true)
  if (strict.length > strictLimit) throw invalid(`tools: Too many strict tools: at most ${strictLimit} are allowed`)
}

function validateCustom (tool: Record<string, unknown>, path: string) {
  requireRecord(tool, path, fields)
  requireString(tool.name, `${path}.name`, nameForm)
  if (tool.description !== undefined) requireString(tool.description, `${path}.description`)
  if (tool.input_schema === undefined) throw invalid(`${path}.input_schema: Field required`)
  requireRecord(tool.input_schema, `${path}.input_schema`)
  validateInputSchema(tool.input_schema, `${path}.input_schema`)
  if (tool.strict === true) validateStrict(tool.input_schema, path)
}

function validateInputSchema (schema: Record<string, unknown>, path: string) {
  if (schema.type === undefined) throw invalid(`${path}.type: Field required`)
  if (schema.type !== 'object') throw invalid(`${path}.type: Input should be 'object'`)
  if (['oneOf', 'allOf', 'anyOf'].some((key) => key in schema)) {
    throw invalid(`${path}: input_schema does not support oneOf, allOf, or anyOf at the top level`)
  }
}

const unsupported: Record<string, string[]> = {
  integer: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  number: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  string: ['minLength', 'maxLength'],
  array: ['maxItems', 'uniqueItems']
}

/** Checks what the grammar of strict tools and structured outputs cannot express. */
export function validateStrict (schema: unknown, path: string): void {
  if (Array.isArray(schema)) return schema.forEach((part) => validateStrict(part, path))
  if (!isRecord(schema)) return
  if (schema.type === 'object' && schema.additionalProperties !== false) {
    throw invalid(`${path}: For 'object' type, 'additionalProperties' must be explicitly set to false`)
  }
  const refused = (unsupported[String(schema.type)] ?? []).filter((key) => key in schema)
  if (refused.length > 0) {
    throw invalid(`${path}: For '${schema.type}' type, properties ${refused.join(', ')} are not supported`)
  }
  for (const key of ['properties', '$defs', 'definitions']) {
    if (isRecord(schema[key])) Object.values(schema[key]).forEach((part) => validateStrict(part, path))
  }
  for (const key of ['items', 'anyOf', 'allOf']) validateStrict(schema[key], path)
}
