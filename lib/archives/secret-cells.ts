import { encryptedColumns, type EncryptedCell } from '../../db/encrypted-columns.js'
import type { ArchivedRow } from '../../db/archive-rows.js'

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
