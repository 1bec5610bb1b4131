import { compileJson } from '../openapi/json-schemas.js'

/** @returns what is wrong with arguments, by pointer; empty when they fit */
export type ArgumentCheck = (args: unknown) => { pointer: string; code: string; message: string }[]

export const checkerOf = (schema: object): ArgumentCheck => {
  const validate = compileJson(schema)
  return (args) =>
    validate(args)
      ? []
      : (validate.errors ?? []).map((issue) => {
          const name = issue.params.additionalProperty ?? issue.params.missingProperty
          const code = issue.keyword === 'additionalProperties' ? 'unknown_field' : issue.keyword
          return {
            pointer: `${issue.instancePath}${name ? `/${name}` : ''}`,
            code,
            message: issue.message ?? 'is not valid'
          }
        })
}
