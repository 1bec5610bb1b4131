interface Schema {
  type?: string | string[]
  enum?: unknown[]
  default?: unknown
  format?: string
  pattern?: string
  minimum?: number
  maximum?: number
  items?: Schema
  properties?: Record<string, Schema>
  anyOf?: Schema[]
}

const texts: Record<string, string> = {
  uuid: '01900000-0000-7000-8000-000000000001', 'date-time': '2099-01-02T03:04:05Z', uri: 'https://example.com/other'
}

const otherText = ({ format, pattern = '' }: Schema, now: unknown): string => {
  if (format && texts[format]) return texts[format]
  if (pattern.includes('0-9a-f]{7')) return 'abcdef1234567'
  return typeof now === 'string' && now !== '' ? `${now}-other` : 'other'
}

const otherNumber = ({ minimum = 0, maximum = 1_000_000 }: Schema, now: unknown): number => {
  const next = typeof now === 'number' ? now + 1 : minimum + 1
  return next > maximum ? minimum : next
}

/** @returns a value that fits the schema and is not the one that is there */
export const variantOf = (given: object, now: unknown): unknown => {
  const schema: Schema = given
  const value = now ?? schema.default
  if (schema.enum) return schema.enum.find((one) => one !== value && one !== null)
  if (schema.anyOf) return variantOf(schema.anyOf[0] ?? {}, now)
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type
  if (type === 'boolean') return value !== true
  if (type === 'integer' || type === 'number') return otherNumber(schema, value)
  if (type === 'array') {
    const items = Array.isArray(value) ? value : []
    return items.length > 0 && !schema.items?.enum
      ? [...items.slice(0, -1), variantOf(schema.items ?? {}, items.at(-1))]
      : [...items, variantOf(schema.items ?? {}, undefined)]
  }
  if (type === 'object') return otherObject(schema, value)
  return otherText(schema, value)
}

const otherObject = ({ properties = {} }: Schema, now: unknown): object => {
  // What is there fits the schema.
  const object = (now ?? {}) as Record<string, unknown>
  const [name = 'other', member = {}] = Object.entries(properties).find(([key]) => key in object) ??
    Object.entries(properties)[0] ?? []
  return { ...object, [name]: variantOf(member, object[name]) }
}
