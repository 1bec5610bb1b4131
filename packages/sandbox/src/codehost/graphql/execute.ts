import type { Document, Selection, Value } from './parse.js'

/** An object of the graph: its fields are values, or functions of their arguments. */
export interface Node { __typename: string, [field: string]: unknown }

/** The whole query is refused, as the code host does where it does not know a field. */
export class QueryRefused extends Error {
  constructor (message: string, readonly code: string) {
    super(message)
  }
}

export interface Problem { type: string, path: (string | number)[], message: string }

type Args = Record<string, unknown>

/** @returns a list as GraphQL has it. @throws without first or last, as the code host demands one */
export const connection = (type: string, items: Node[]) => ({ first, last }: Args): Node => {
  if (typeof first !== 'number' && typeof last !== 'number') {
    throw new QueryRefused('You must provide a `first` or `last` value to properly paginate the connection.',
      'MISSING_PAGINATION_BOUNDARIES')
  }
  const nodes = typeof first === 'number' ? items.slice(0, first) : items.slice(-Number(last))
  return { __typename: `${type}Connection`, totalCount: items.length, nodes }
}

/** @returns what the selections name below a node; `problems` gets what could not be found */
export function execute (document: Document, variables: Args, root: Node, problems: Problem[]): unknown {
  const valueOf = (value: Value): unknown => 'variable' in value ? variables[value.variable] : value.value

  const fieldOf = (node: Node, { field, args }: Extract<Selection, { field: string }>): unknown => {
    const found = node[field]
    if (found === undefined) {
      throw new QueryRefused(`Field '${field}' doesn't exist on type '${node.__typename}'`, 'undefinedField')
    }
    return typeof found === 'function'
      ? found(Object.fromEntries(Object.entries(args).map(([name, value]) => [name, valueOf(value)])))
      : found
  }

  const show = (value: unknown, below: Selection[], path: (string | number)[]): unknown => {
    if (Array.isArray(value)) return value.map((one, index) => show(one, below, [...path, index]))
    if (value === undefined || (value === null && below.length > 0)) return null
    if (value instanceof Error) {
      problems.push({ type: value.name, path, message: value.message })
      return null
    }
    // What has selections is an object of the graph; other values are shown as they are.
    return below.length === 0 ? value : select(value as Node, below, path)
  }

  const select = (node: Node, selections: Selection[], path: (string | number)[]): Record<string, unknown> => {
    const shown: Record<string, unknown> = {}
    for (const selection of selections) {
      if ('field' in selection) {
        shown[selection.as] = show(fieldOf(node, selection), selection.below, [...path, selection.as])
        continue
      }
      const fragment = 'spread' in selection ? document.fragments.get(selection.spread) : selection
      if (!fragment) throw new QueryRefused('Fragment was used, but not defined', 'useAndDefineFragment')
      const fits = fragment.on === null || fragment.on === node.__typename
      if (fits) Object.assign(shown, select(node, fragment.below, path))
    }
    return shown
  }

  return select(root, document.selections, [])
}
