import { Ajv, type ValidateFunction } from 'ajv'
import { readSchema } from './read-schema.js'

export interface Misfit { pointer: string, code: string, message: string }

const maxKept = 200
const kept = new Map<string, ValidateFunction>()

/** Each schema has a compiler of its own, which goes with it: they come and go with other people's servers. */
const compile = (hash: string, schema: unknown): ValidateFunction => {
  const known = kept.get(hash)
  if (known) return known
  const ajv = new Ajv({ strict: false, validateFormats: false, allErrors: false })
  const made = ajv.compile(readSchema(schema))
  const [oldest] = kept.keys()
  if (kept.size >= maxKept && oldest !== undefined) kept.delete(oldest)
  kept.set(hash, made)
  return made
}

/**
 * @param hash of the definition that has the schema
 * @returns what is wrong with the arguments, by pointer; empty when they fit
 */
export const checkArguments = (hash: string, schema: unknown, args: unknown): Misfit[] => {
  const validate = compile(hash, schema)
  if (validate(args)) return []
  return (validate.errors ?? []).map(({ keyword, params, instancePath, message = 'is not valid' }) => {
    const name: unknown = params.additionalProperty ?? params.missingProperty
    const code = keyword === 'additionalProperties' ? 'unknown_field' : keyword
    return { pointer: `${instancePath}${name === undefined ? '' : `/${String(name)}`}`, code, message }
  })
}
