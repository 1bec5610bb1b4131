import { Kind, Type, TypeRegistry, type Static, type TObject, type TOptional, type TSchema } from '@sinclair/typebox'

export const Id = Type.String({ format: 'uuid' })

/** The most that the database's integer holds: what counts versions and positions, and comes from outside. */
export const maxInteger = 2_147_483_647

export const VersionNumber = Type.Integer({ minimum: 1, maximum: maxInteger })

/** A time on the wire is RFC 3339 UTC; in TypeScript it may still be the database's Date. */
export const Timestamp = Type.Unsafe<Date | string>({ type: 'string', format: 'date-time' })

// Value.Check and Value.Default throw for what is of no kind that they know, as within the choices of a union.
TypeRegistry.Set<{ enum: readonly unknown[] }>('Words', ({ enum: words }, value) => words.includes(value))

/** One of a few words. `Type.Union` of literals would print as anyOf of one-value enums. */
export const Words = <const T extends string>(
  values: readonly T[],
  options: { description?: string; default?: T } = {}
) => Type.Unsafe<T>({ [Kind]: 'Words', type: 'string', enum: [...values], ...options })

const hasDefault = Symbol('default')
export interface Defaulted { [hasDefault]: true }

/** A field with a default, marked so that types know it: a sender may leave it out. */
export const Defaulted = <T extends TSchema>(schema: T): T & Defaulted =>
  Object.assign(schema, { [hasDefault]: true as const })

export const isDefaulted = (schema: object): schema is Defaulted => hasDefault in schema

type Fields<T> = T extends TObject<infer P> ? P : Record<never, never>
type Omissible<P> = { [K in keyof P]: P[K] extends Defaulted | TOptional<TSchema> ? K : never }[keyof P]
type Typed<P> = { [K in keyof P]: P[K] extends TSchema ? Static<P[K]> : never }

/** What a sender gives for a schema: its type, before the defaults of its fields are filled in. */
export type Sent<T> =
  Typed<Omit<Fields<T>, Omissible<Fields<T>>>> & Partial<Typed<Pick<Fields<T>, Omissible<Fields<T>>>>>

export const Nullable = <T extends TSchema>(schema: T) =>
  Type.Unsafe<Static<T> | null>(
    '$id' in schema || 'anyOf' in schema
      ? { anyOf: [schema, { type: 'null' }] }
      : { ...schema, type: [schema.type, 'null'], ...('enum' in schema ? { enum: [...schema.enum, null] } : {}) }
  )

/** What whoever sends a write compares with its target, as it is right before that: all of the facts, or some. */
export const Expected = <T extends TObject>(facts: T) => Type.Optional(Type.Partial(facts, {
  additionalProperties: false,
  description: 'Write only if the target is like this right before the write: else 409 state_changed, with what ' +
    'differs, and nothing is sent. An approved write carries what its approval showed'
}))

export const Money = Type.Object(
  {
    amount: Type.String({ pattern: '^-?[0-9]+(\\.[0-9]+)?$', examples: ['12.50'], description: 'A decimal number' }),
    currency: Type.String({ minLength: 3, maxLength: 3 })
  },
  { $id: 'Money' }
)
export type Money = Static<typeof Money>

const pages = new WeakSet()

/** The answer of every list; `next_cursor` is null on the last page. */
export const page = <T extends TSchema>(item: T, $id: string) => {
  const schema = Type.Object(
    {
      items: Type.Array(item),
      next_cursor: Nullable(Type.String())
    },
    { $id }
  )
  pages.add(schema)
  return schema
}

/** @returns whether it was made by `page`; a list over several sources is none: it shows how those answered */
export const isPage = (schema: unknown): boolean => typeof schema === 'object' && schema !== null && pages.has(schema)

export const PageQuery = {
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 30 }),
  cursor: Type.Optional(Type.String({ maxLength: 600 }))
}

/** A problem of one source of a list that asks several (accounts, regions). */
export const SourceError = Type.Object(
  {
    account_id: Nullable(Id),
    region: Nullable(Type.String()),
    code: Type.String(),
    detail: Type.String(),
    aws_request_id: Nullable(Type.String())
  },
  { $id: 'SourceError' }
)
export type SourceError = Static<typeof SourceError>

/** A list over several sources: with `partial`, some did not answer, and `errors` says which and why. */
export const partialPage = <T extends TSchema>(item: T, $id: string) =>
  Type.Object(
    {
      items: Type.Array(item),
      next_cursor: Nullable(Type.String()),
      partial: Type.Boolean(),
      errors: Type.Array(SourceError)
    },
    { $id }
  )
