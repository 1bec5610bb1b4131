import { Type } from '@sinclair/typebox'
import { ok, operation, readBody, type Call } from '../core/operation.js'
import { permissionOf } from '../core/world.js'
import { contextOf } from '../rest/repositories.js'
import { execute, QueryRefused, type Problem } from './execute.js'
import { parse } from './parse.js'
import { pullNode } from './pull-node.js'

const Query = Type.Object({
  query: Type.String(),
  variables: Type.Optional(Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()]))
})

class NotFound extends Error {
  override name = 'NOT_FOUND'
}

function nodeOf (call: Call, id: unknown) {
  const { world } = call.sandbox
  for (const repository of world.repositories.values()) {
    const pull = [...repository.pulls.values()].find((one) => `PR_${one.id}` === id)
    if (pull && permissionOf(world, repository, call.user?.id)) return pullNode(contextOf(call), repository, pull)
  }
  return new NotFound(`Could not resolve to a node with the global id of '${String(id)}'.`)
}

/** Refused queries have status 200 too, and no data. */
function runQuery (call: Call) {
  const { query, variables } = readBody(call, Query)
  const problems: Problem[] = []
  const root = {
    __typename: 'Query',
    node: ({ id }: Record<string, unknown>) => nodeOf(call, id),
    nodes: ({ ids }: Record<string, unknown>) => Array.isArray(ids) ? ids.map((id) => nodeOf(call, id)) : []
  }
  try {
    const data = execute(parse(query), variables ?? {}, root, problems)
    return ok({ data, ...(problems.length > 0 && { errors: problems }) })
  } catch (error) {
    if (error instanceof SyntaxError) return ok({ errors: [{ message: error.message }] })
    if (!(error instanceof QueryRefused)) throw error
    return ok({ errors: [{ message: error.message, extensions: { code: error.code } }] })
  }
}

export const graphqlOperations = [
  operation('graphql', 'POST', '/api/graphql', runQuery, { resource: 'graphql' })
]
