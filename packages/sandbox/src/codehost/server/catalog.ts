import { oauthOperations } from '../oauth/index.js'
import { graphqlOperations } from '../graphql/index.js'
import { restOperations } from '../rest/index.js'
import { resultOperations } from '../rest/workflows.js'
import { API_PREFIX } from '../constants.js'
import type { Operation } from '../core/operation.js'

interface Compiled { operation: Operation, expression: RegExp }

const compileOne = (operation: Operation, pattern: string): Compiled => ({
  operation,
  expression: new RegExp(`^${pattern
    .replace(/\{(\w+)\*\}/g, '(?<$1>.+)')
    .replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}/?$`)
})

const compile = (operation: Operation): Compiled[] => operation.pattern.startsWith('{repo}')
  ? ['/repos/{owner}/{name}', '/repositories/{repository_id}'].map((prefix) =>
      compileOne(operation, API_PREFIX + prefix + operation.pattern.slice('{repo}'.length)))
  : [compileOne(operation, operation.pattern)]

const rest = restOperations.map((one) =>
  one.pattern.startsWith('/') ? { ...one, pattern: API_PREFIX + one.pattern } : one)
const compiled = [...oauthOperations, ...graphqlOperations, ...resultOperations, ...rest].flatMap(compile)

export interface Match { operation: Operation, params: Record<string, string> }

const decode = (value: string): string => {
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}

/** @returns the operation that answers, the first that fits */
export function matchOperation (method: string, path: string): Match | undefined {
  const wanted = method === 'HEAD' ? 'GET' : method
  for (const { operation, expression } of compiled) {
    const found = operation.method === wanted ? expression.exec(path) : null
    if (!found) continue
    const params = Object.entries(found.groups ?? {}).map(([name, value]) => [name, decode(value)] as const)
    return { operation, params: Object.fromEntries(params) }
  }
  return undefined
}
