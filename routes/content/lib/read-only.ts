import { isDeepStrictEqual } from 'node:util'
import type { FieldError } from '../../../schemas/errors.js'
import { ReadOnlyField } from './errors.js'

type Fields = Record<string, unknown>

/** As it crosses the wire: times are text there. */
const asRead = (value: unknown): unknown => value === undefined ? undefined : JSON.parse(JSON.stringify(value))

/**
 * What was read may be sent back as it was; what nobody writes may not be changed by it.
 * @throws read_only_field with a pointer for each
 */
export const requireNoReadOnly = (body: Fields, current: Fields, names: readonly string[]): void => {
  const errors = names
    .filter((name) => body[name] !== undefined && !isDeepStrictEqual(body[name], asRead(current[name])))
    .map((name): FieldError => ({ pointer: `/${name}`, code: 'read_only_field', message: 'cannot be written' }))
  if (errors.length === 0) return
  throw ReadOnlyField(`${errors.map(({ pointer }) => pointer).join(', ')} cannot be written`, { errors })
}
