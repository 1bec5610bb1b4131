import { LimitNode, ValueNode, type KyselyPlugin, type RootOperationNode } from 'kysely'

/** Pages of the usual sizes, and the row beyond, which shows whether there is another. */
const usual = new Set<unknown>([1, 2, 5, 10, 11, 20, 21, 25, 26, 30, 31, 50, 51, 100, 101])

export const isUsualLimit = (value: unknown): value is number => usual.has(value)

const written = (node: RootOperationNode): RootOperationNode => {
  if (node.kind !== 'SelectQueryNode' || !node.limit || !ValueNode.is(node.limit.limit)) return node
  const { value } = node.limit.limit
  return isUsualLimit(value)
    ? { ...node, limit: LimitNode.create(ValueNode.createImmediate(value)) }
    : node
}

/**
 * Writes the usual limits into the text of a statement instead of sending them as a parameter. A plan for any limit
 * is reckoned for a tenth of all rows, so that on a large table PostgreSQL finds a plan for the one limit cheaper
 * every time, and plans a prepared statement anew at every execution, which costs more than reading a page. Others
 * stay parameters: each would be one more statement to keep prepared.
 */
export const inlineLimits: KyselyPlugin = {
  transformQuery: ({ node }) => written(node),
  transformResult: async ({ result }) => result
}
