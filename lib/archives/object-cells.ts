import type { ArchivedRow } from '../../db/archive-rows.js'

/** Tables whose bytes may be in an object store, and by which columns. */
const stored = [{ table: 'content_image', bytes: 'data', key: 'object_key' }] as const

/** @returns what the store has under a key; undefined = nothing any more */
export type ReadObject = (key: string) => Promise<Buffer | undefined>

/** The cells of one table whose bytes are elsewhere: an archive has them, as if they were in the database. */
export class ObjectCells {
  readonly #bytesAt: number
  readonly #keyAt: number

  constructor (table: string, names: readonly string[]) {
    const columns = stored.find((one) => one.table === table)
    this.#bytesAt = columns ? names.indexOf(columns.bytes) : -1
    this.#keyAt = columns ? names.indexOf(columns.key) : -1
  }

  /** @returns the row with its bytes; one whose bytes the store has lost stays as it is, as here */
  async fill (row: ArchivedRow, read: ReadObject): Promise<ArchivedRow> {
    const key = row[this.#keyAt]
    if (this.#bytesAt < 0 || key === null || key === undefined) return row
    const bytes = await read(key)
    if (!bytes) return row
    const filled = [...row]
    filled[this.#bytesAt] = `\\x${bytes.toString('hex')}`
    filled[this.#keyAt] = null
    return filled
  }
}
