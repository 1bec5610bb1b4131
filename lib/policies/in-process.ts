import type { VersionRow } from '../../db/account/policies.js'
import { Overloaded } from '../../schemas/errors.js'
import { TaskProcesses } from '../processes/task-processes.js'
import type { Cedar } from './cedar.js'
import { type Compiled, type GroupIds, type PolicySet, positionAt } from './compile.js'
import type { Operations } from './operations.js'

/** Levels of brackets and of `if`. People write three. */
const maxNesting = 50

/** What matters of a text: strings, comments, brackets, words. Whatever comes first is consumed whole. */
const token = /"(?:[^"\\]|\\[\s\S]?)*(?:"|$)|\/\/[^\n]*|[([{]|[)\]}]|;|\w+/g

/**
 * Looks through a text before anything parses it: a parser that calls itself for each level has an end of its stack.
 * In time that is proportional to its length.
 * @returns where it is nested too deeply
 */
const findTooDeep = (text: string): number | undefined => {
  let brackets = 0
  // Each one is in the branch of the one before, until the policy ends.
  let conditions = 0
  for (const { 0: found, index } of text.matchAll(token)) {
    if (found === '(' || found === '[' || found === '{') brackets += 1
    else if (found === ')' || found === ']' || found === '}') brackets -= 1
    else if (found === ';') brackets = conditions = 0
    else if (found === 'if') conditions += 1
    else continue
    if (brackets > maxNesting || conditions > maxNesting) return index
  }
  return undefined
}

/** Ten times what the longest policies take with the schema of all tools. */
const baseMs = 5_000
const msPerChar = 0.05

class TooComplex extends Error {}

const cedar = new TaskProcesses<Operations>({
  script: new URL('./worker.js', import.meta.url),
  maxHeapMb: 256,
  cpuMs: (chars) => baseMs + chars * msPerChar,
  tooComplex: () => new TooComplex('They take more work or memory than policies may'),
  overloaded: (detail = 'The machine is too busy to read the policies') =>
    Overloaded(detail).withHeaders({ 'retry-after': '10' })
})

const refuse = (code: string, message: string, at?: { line: number, column: number }): Compiled => ({
  kind: 'invalid',
  problems: [{ pointer: '/text', code, message, line: at?.line ?? null, column: at?.column ?? null }]
})

/**
 * Reads policies, in a process of its own.
 * @param groups of the workspace, or those that were bound when the policies were saved
 * @param schema what they are validated against; undefined for policies that were validated when they were saved
 * @throws overloaded
 */
export const compile = async (text: string, groups: GroupIds, schema?: Cedar.SchemaJson<string>): Promise<Compiled> => {
  const deep = findTooDeep(text)
  if (deep !== undefined) {
    const at = positionAt(text, Buffer.byteLength(text.slice(0, deep)))
    return refuse('nested_too_deeply',
      `line ${at.line}, column ${at.column}: It is nested deeper than ${maxNesting} levels`, at)
  }
  try {
    return await cedar.run('compile', text, groups, schema)
  } catch (error) {
    if (error instanceof TooComplex) return refuse('too_complex', error.message)
    throw error
  }
}

/** Asks Cedar, in a process of its own. @throws overloaded, and an Error where there is no answer */
export const authorize: Operations['authorize'] = (set, calls) => cedar.run('authorize', set, calls)

/** @returns a schema in Cedar's own syntax */
export const schemaText = (schema: Cedar.SchemaJson<string>): Promise<string> => cedar.run('schemaText', schema)

/** The policies that hold in a workspace. */
export interface EnabledSet {
  version: number
  /** null: they cannot be read any more, such as after a change of Cedar; then nothing is allowed. */
  set: PolicySet | null
}

/** @returns what was enabled; undefined where that was to have no policies any more */
export const loadSet = async ({ version, text, groups }: VersionRow): Promise<EnabledSet | undefined> => {
  const compiled = await compile(text, groups)
  if (compiled.kind === 'invalid') return { version, set: null }
  return compiled.set.meta.size === 0 ? undefined : { version, set: compiled.set }
}
