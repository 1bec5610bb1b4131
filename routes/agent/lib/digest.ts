import { createHash } from 'node:crypto'

const canonical = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(canonical)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, child]) => [key, canonical(child)])
  )
}

/** Binds an approval to exactly what will run: tool, its version, arguments, and for whom. */
export const digestOf = (call: {
  name: string
  version: string
  args: unknown
  workspaceId: string
  userId: string
}): string => {
  const text = JSON.stringify(canonical(call))
  return `sha256:${createHash('sha256').update(text).digest('hex')}`
}
