import type { Change } from '../../../../schemas/infrastructure/service-deployments.js'
import type { Json } from '../write-ecs.js'

const redacted = '[redacted]'
/** Values that may hold secrets: the environment, and options of log drivers that carry tokens. */
const secretName = /token|password|passwd|secret[_-]?key|credential/i
const mayBeSecret = (path: string): boolean =>
  path.includes('.environment[') || secretName.test(path.slice(path.lastIndexOf('.') + 1))
const reference = /\.secrets\[/

const isRecord = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const nameOf = (item: unknown): string | undefined => {
  const name = isRecord(item) ? item.name ?? item.key : undefined
  return typeof name === 'string' ? name : undefined
}

/** Containers, variables and tags are known by their names, so that an inserted one does not shift the others. */
const childrenOf = (value: unknown): [string, unknown][] => {
  if (isRecord(value)) return Object.entries(value).map(([key, child]) => [`.${key}`, child])
  if (!Array.isArray(value)) return []
  const names = value.map(nameOf)
  const named = names.every((name) => name !== undefined) && new Set(names).size === names.length
  return value.map((child, index) => [`[${named ? names[index] : index}]`, child])
}

const leavesOf = (value: unknown, path: string, leaves: Map<string, unknown>): Map<string, unknown> => {
  const children = childrenOf(value)
  if (children.length === 0) leaves.set(path, value)
  for (const [step, child] of children) leavesOf(child, path + step, leaves)
  return leaves
}

const show = (path: string, value: unknown): unknown => {
  if (value === undefined) return null
  return mayBeSecret(path) && !reference.test(path) && !path.endsWith('.name') ? redacted : value
}

/**
 * @returns every field that differs, by its path, such as `containerDefinitions[web].image`; values of environment
 * variables are redacted on both sides, secrets are shown by their reference
 */
export const diffDefinitions = (before: Json, after: Json): Change[] => {
  const old = leavesOf(before, '', new Map())
  const now = leavesOf(after, '', new Map())
  const paths = [...new Set([...old.keys(), ...now.keys()])].sort()
  return paths.filter((path) => JSON.stringify(old.get(path)) !== JSON.stringify(now.get(path)))
    .map((path) => ({
      path: path.slice(1), before: show(path, old.get(path)), after: show(path, now.get(path))
    }))
}

/** @returns whether registering the one would make the same revision as the other, whatever the order of the keys */
export const isSameDefinition = (a: Json, b: Json): boolean => {
  const left = leavesOf(a, '', new Map())
  const right = leavesOf(b, '', new Map())
  const equal = [...left].every(([path, value]) => JSON.stringify(value) === JSON.stringify(right.get(path)))
  return equal && left.size === right.size
}
