import type { ArchivedRow } from '../../db/archive-rows.js'
import { encryptedColumns, type EncryptedCell } from '../../db/encrypted-columns.js'

/** A cell whose secret was left out: there was one. */
const leftOut = '\\x'

const bytesOf = (text: string): Buffer => Buffer.from(text.slice(2), 'hex')

/** Makes another text of a cell, as the database writes bytes. @returns null = leave the secret out */
export type Recrypt = (context: string, encrypted: Buffer) => Buffer | null

/** The cells of one table in which secrets lie encrypted. */
export class SecretCells {
  readonly #cells: { at: number, column: EncryptedCell['column'], as: string }[]
  readonly #idAt: number

  constructor (private readonly table: string, names: readonly string[]) {
    this.#idAt = names.indexOf('id')
    this.#cells = encryptedColumns.filter((one) => one.table === table)
      .map(({ column, as }) => ({ column, as, at: names.indexOf(column) })).filter(({ at }) => at >= 0)
  }

  /** @returns the row with its secrets encrypted otherwise */
  recrypt (row: ArchivedRow, recrypt: Recrypt): ArchivedRow {
    if (this.#cells.length === 0) return row
    const made = [...row]
    for (const { at, as } of this.#cells) {
      const text = row[at]
      if (text === null || text === undefined || text === leftOut) continue
      const encrypted = recrypt(`${this.table}|${row[this.#idAt]}|${as}`, bytesOf(text))
      made[at] = encrypted === null ? leftOut : `\\x${encrypted.toString('hex')}`
    }
    return made
  }

  /** @returns the cells of a row of the workspace whose secrets were left out */
  listLost (row: ArchivedRow, workspaceId: string): EncryptedCell[] {
    return this.#cells.filter(({ at }) => row[at] === leftOut).map(({ column, as }) => {
      const id = row[this.#idAt] ?? ''
      const table = this.table as EncryptedCell['table'] // It has such cells.
      const context = `${table}|${id}|${as}`
      return { workspace_id: workspaceId, id, table, column, context, encrypted: Buffer.alloc(0) }
    })
  }
}

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
