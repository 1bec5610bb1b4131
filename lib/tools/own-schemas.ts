import type { TSchema } from '@sinclair/typebox'
import type { FastifySchema } from 'fastify'
import { isDefaulted } from '../../schemas/common.js'
import type { WriteTool } from './options.js'

const isUnmarked = (schema: TSchema | undefined) => schema?.default !== undefined && !isDefaulted(schema)

/** A plan's arguments have the types of the schemas that its tool names: those of its route, with marked defaults. */
export const requireOwnSchemas = (name: string, { params, querystring, body }: FastifySchema,
  { input }: WriteTool): void => {
  if (input.params !== params || input.query !== querystring || input.body !== body) {
    throw new Error(`The tool ${name} takes other schemas than its route`)
  }
  for (const { properties = {}, required = [] } of [input.query ?? {}, input.body ?? {}]) {
    const unmarked = required.find((field) => isUnmarked(properties[field]))
    if (unmarked !== undefined) throw new Error(`${name}: the default of ${unmarked} is not marked by Defaulted()`)
  }
}
