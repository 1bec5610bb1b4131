import type { Schema } from './operations.js'

type Resolve = (schema: Schema) => Schema

const texts: Record<string, string> = {
  'date-time': '2026-01-02T03:04:05Z',
  date: '2026-01-02',
  uri: 'https://example.com/',
  email: 'ada@example.com',
  uuid: '01900000-0000-7000-8000-000000000000'
}

const sampleText = ({ format, pattern, minLength = 1 }: Schema): string =>
  texts[format ?? ''] ?? (pattern?.startsWith('^[0-9a-f]') ? String(texts.uuid) : 'sample'.padEnd(minLength, 'x'))

/** @returns a value that the schema would most likely take: required members, or as many as there must be */
export const sampleOf = (given: Schema, resolve: Resolve, depth = 0): unknown => {
  const schema = resolve(given)
  const choice = (schema.anyOf ?? schema.oneOf)?.[0]
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  if (schema.default !== undefined) return schema.default
  if (choice) return sampleOf(choice, resolve, depth)
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type
  if (type === 'object' || schema.properties) return sampleObject(schema, resolve, depth)
  if (type === 'array') return depth > 6 ? [] : sampleArray(schema, resolve, depth)
  if (type === 'integer' || type === 'number') return schema.minimum ?? 1
  if (type === 'boolean') return true
  return type === 'null' ? null : sampleText(schema)
}

const sampleArray = ({ minItems = 0, items = {} }: Schema, resolve: Resolve, depth: number): unknown[] =>
  Array(minItems).fill(sampleOf(items, resolve, depth + 1))

const sampleObject = (schema: Schema, resolve: Resolve, depth: number) => {
  const { properties = {}, required = [], minProperties = 0 } = schema
  const members = Object.entries(properties)
    .filter(([name], at) => required.includes(name) || (required.length === 0 && at < minProperties))
  return depth > 6 ? {} : Object.fromEntries(members.map(([name, one]) => [name, sampleOf(one, resolve, depth + 1)]))
}

const deep = (levels: number): unknown => {
  let value: unknown = 'x'
  for (let level = 0; level < levels; level++) value = [value]
  return value
}

/** Texts that have broken parsers, queries, logs and pages elsewhere. */
export const hostileTexts = [
  '', ' ', '\u0000', 'a\u0000b', '\ud800', '\u202egnp.exe', '%', '%00', '%2e%2e%2f', '../../etc/passwd',
  '\r\nSet-Cookie: a=b', '\u001b[31mred', '{"level":60}\n', '\'; drop table workspace; --', '" or ""="', '$1',
  '<script>alert(1)</script>',
  '__proto__', 'constructor', 'NaN', '1e3', '0x1', '-1', '01', '9'.repeat(20), '1;--', 'null', '[]', '\uff41\u0301',
  'x'.repeat(1_000_000)
]

export const hostileValues: unknown[] = [
  ...hostileTexts, null, true, 0, -1, 1.5, 1e308, 2 ** 53, [], {}, [null], { $ref: '#' }, deep(200)
]

/** A repeatable choice: the same seed makes the same run (mulberry32, public domain). */
export const dice = (seed: number) => {
  let state = seed
  const roll = (): number => {
    state = state + 0x6D2B79F5 | 0
    let mixed = Math.imul(state ^ state >>> 15, 1 | state)
    mixed = mixed + Math.imul(mixed ^ mixed >>> 7, 61 | mixed) ^ mixed
    return ((mixed ^ mixed >>> 14) >>> 0) / 4_294_967_296
  }
  return { pick: <T>(values: readonly T[]): T => values[Math.floor(roll() * values.length)] as T }
}
