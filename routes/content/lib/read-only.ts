import { isDeepStrictEqual } from 'node:util'
import type { FieldError } from '../../../schemas/errors.js'
import { ReadOnlyField } from './errors.js'

type Fields = Record<string, unknown>

/** The value as JSON, where times are text. */
const asRead = (value: unknown): unknown => value === undefined ? undefined : JSON.parse(JSON.stringify(value))

/**
 * A body may repeat read-only fields as they were read, but not change them.
 * @throws read_only_field with a pointer for each
 */
export const requireNoReadOnly = (body: Fields, current: Fields, names: readonly string[]): void => {
  const errors = names
    .filter((name) => body[name] !== undefined && !isDeepStrictEqual(body[name], asRead(current[name])))
    .map((name): FieldError => ({ pointer: `/${name}`, code: 'read_only_field', message: 'cannot be written' }))
  if (errors.length === 0) return
  throw ReadOnlyField(`${errors.map(({ pointer }) => pointer).join(', ')} cannot be written`, { errors })
}
