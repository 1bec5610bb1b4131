import { archivedCells } from '../../db/archived-cells.js'
import type { ArchivedRow } from '../../db/archive-rows.js'
import { roles } from '../../schemas/account/users.js'
import { fieldsOf, isObject, isOneOf } from '../../schemas/unknown.js'
import { isTooDeep, maxDepth } from '../http/text.js'
import { requireStorable } from '../http/storable.js'
import { compileJson, explainIssue, type Validator } from '../openapi/json-schemas.js'
import { Damage, type TableStart } from './format.js'

/** Words that no constraint of the tables knows: those of a later release may be more. */
const words: Record<string, Record<string, readonly string[]>> = {
  account_user: { role: roles },
  account_binding: { role: roles },
  content_image: { media_type: ['image/png', 'image/jpeg', 'image/gif', 'image/webp'] }
}

const validators = new Map<string, Validator<unknown>>()

/** @returns what says whether a JSON column's value is what the code takes it for; undefined = it is no such column */
const validatorOf = (table: string, column: string): Validator<unknown> | undefined => {
  const key = `${table}.${column}`
  const known = validators.get(key)
  if (known) return known
  const schema = fieldsOf(fieldsOf(archivedCells)[table])[column]
  if (!isObject(schema)) return undefined
  const validator = compileJson<object>(schema)
  validators.set(key, validator)
  return validator
}

const parse = (text: string): { value: unknown } | undefined => {
  try {
    const value: unknown = JSON.parse(text)
    requireStorable(value)
    return { value }
  } catch {
    return undefined
  }
}

/** What must be true of the cells of one table before a row of it is written: an archive is a stranger's request. */
export class CheckedCells {
  readonly #json: { at: number, name: string, fits: Validator<unknown> }[]
  readonly #words: { at: number, name: string, known: readonly string[] }[]

  constructor ({ table, columns }: TableStart) {
    this.#json = columns.flatMap((name, at) => {
      const fits = validatorOf(table, name)
      return fits ? [{ at, name, fits }] : []
    })
    this.#words = Object.entries(words[table] ?? {}).map(([name, known]) => ({ at: columns.indexOf(name), name, known }))
  }

  /** @throws Damage with the cell, and what is wrong there */
  check (line: number, row: ArchivedRow): void {
    for (const { at, name, known } of this.#words) {
      const word = row[at]
      if (!isOneOf(known, word)) throw new Damage(line, `There is no ${name} ${String(word)}`)
    }
    for (const { at, name, fits } of this.#json) {
      const text = row[at]
      // A column that may not be null is the database's to refuse.
      if (text === null || text === undefined) continue
      if (isTooDeep(text)) throw new Damage(line, `${name} is nested deeper than ${maxDepth} levels`)
      const parsed = parse(text)
      if (!parsed) throw new Damage(line, `${name} is not JSON that can be stored`)
      if (fits(parsed.value)) continue
      const [issue] = fits.errors ?? []
      throw new Damage(line, `${name}${issue?.instancePath ?? ''} ${issue ? explainIssue(issue) : 'does not fit'}`)
    }
  }
}
