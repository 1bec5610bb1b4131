import { Kind, Type, TypeRegistry, type Static, type TSchema } from '@sinclair/typebox'

// Value.Check and Value.Default throw for what is of no kind that they know, as within the choices of a union.
TypeRegistry.Set<{ enum: readonly unknown[] }>('Words', ({ enum: words }, value) => words.includes(value))

/** One of a few words. `Type.Union` of literals would print as anyOf of one-value enums. */
export const Words = <const T extends string>(
  values: readonly T[],
  options: { description?: string; default?: T } = {}
) => Type.Unsafe<T>({ [Kind]: 'Words', type: 'string', enum: [...values], ...options })

export const Nullable = <T extends TSchema>(schema: T) =>
  Type.Unsafe<Static<T> | null>(
    '$id' in schema || 'anyOf' in schema
      ? { anyOf: [schema, { type: 'null' }] }
      : { ...schema, type: [schema.type, 'null'], ...('enum' in schema ? { enum: [...schema.enum, null] } : {}) }
  )
