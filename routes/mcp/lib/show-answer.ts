import type { CallToolResult } from '@modelcontextprotocol/server'
import type { FastifyInstance } from 'fastify'
import { fitResult } from '../../../lib/tools/fit-result.js'
import { fitStructure } from '../../../lib/tools/fit-structure.js'
import { redactRead } from '../../../lib/security/redaction.js'
import type { Answer } from '../../../plugins/tools.js'
import { fieldsOf, isObject, textIn } from '../../../schemas/unknown.js'
import { writeOutput, type Output } from './output.js'
import { againTool } from './own-tools.js'

type Deps = Pick<FastifyInstance, 'config'>

/** @returns undefined for what is no JSON */
const parse = (json: string): unknown => {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}

/** A secret that was taken out may have taken the JSON's form with it: then it is text. */
const fit = (json: string, maxBytes: number): string => {
  const value = parse(json)
  return value === undefined ? fitResult(json, JSON.stringify(json), maxBytes) : fitResult(value, json, maxBytes)
}

const hidden = '[redacted]'

/** Every text, with its form kept. */
const hideTexts = (value: unknown): unknown => {
  if (typeof value === 'string') return hidden
  if (Array.isArray(value)) return value.map(hideTexts)
  return isObject(value)
    ? Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, hideTexts(inner)]))
    : value
}

/** The answer in the form that the schema promises; what is not whole is marked so. */
const structure = (deps: Deps, { fits }: Output, body: unknown, redacted: string): Partial<CallToolResult> => {
  const safe = parse(redacted)
  // A secret that spanned several texts took the form with it: which of them hold a part of it cannot be said.
  const value = fits(safe) ? safe : hideTexts(body)
  const fitted = isObject(value) ? fitStructure(value, deps.config.limits.result_model_bytes) : undefined
  // A result without the promised form is an error: only its text can be read.
  if (!fitted) return { isError: true }
  return { structuredContent: fitted.value, ...(fitted.isCut && { _meta: { 'steward/cut': true } }) }
}

/**
 * What a model sees of an answer: redacted and capped as for the assistant; a problem is an error of the tool.
 * @param output the form that the tool promises to programs
 */
export const toResult = (deps: Deps, { status, body }: Answer, output?: Output): CallToolResult => {
  const redacted = redactRead(JSON.stringify(body))
  const content = [{ type: 'text' as const, text: fit(redacted, deps.config.limits.result_model_bytes) }]
  if (status >= 300) return { content, isError: true }
  return output ? { content, ...structure(deps, output, body, redacted) } : { content }
}

const next = 'Nothing was executed. A person asks for changes: their words are in `changes`. ' +
  `Call ${againTool.name} with this tool_call_id and arguments that follow them.`

/** @returns a call as its client reads it; what a person wants changed says how to go on */
export const toOutcome = (deps: Deps, { status, body }: Answer): CallToolResult => {
  const isForChange = textIn(fieldsOf(body).result, 'code') === 'changes_requested'
  return toResult(deps, { status, body: isForChange ? { next, ...fieldsOf(body) } : body }, writeOutput)
}
