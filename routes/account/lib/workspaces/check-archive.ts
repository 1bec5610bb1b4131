import type { ArchivedColumn, ArchivedTable } from '../../../../db/archived-tables.js'
import { CheckedCells } from '../../../../lib/archives/checked-cells.js'
import { Damage, readParts, type Header, type TableStart } from '../../../../lib/archives/format.js'
import type { Spool } from '../../../../lib/archives/spool.js'
import type { ApiError } from '../../../../schemas/errors.js'
import { ArchiveDamaged, ArchiveNewer } from '../errors.js'

/** What this installation knows: its tables, by name, and the migrations that were run. */
export interface Known { tables: ReadonlyMap<string, ArchivedTable>, migrations: readonly string[] }

/** @returns the error with the line as a pointer */
export const damagedAt = (line: number, message: string): ApiError => {
  const pointer = `/lines/${line}`
  return ArchiveDamaged(`${pointer} ${message}`, { errors: [{ pointer, code: 'archive_damaged', message }] })
}

/** @returns what it throws as the error that crosses the wire */
export const asDamage = (error: unknown): unknown => {
  if (error instanceof Damage) return damagedAt(error.line, error.message)
  return error instanceof RangeError ? ArchiveDamaged(error.message) : error
}

/** @returns the table's columns in the order of the archive. @throws Damage */
export const columnsOf = (line: number, { table, columns }: TableStart, { tables }: Known): ArchivedColumn[] => {
  const known = tables.get(table)
  if (!known) throw new Damage(line, `There is no table ${table} of workspaces here`)
  const missing = known.columns.find(({ name, required }) => required && !columns.includes(name))
  if (missing) throw new Damage(line, `${table} comes without ${missing.name}, which has no default`)
  return columns.map((name) => {
    const column = known.columns.find((one) => one.name === name)
    if (!column) throw new Damage(line, `${table} has no column ${name} here`)
    return column
  })
}

/** @throws Damage unless each row is the workspace's own */
const requireOwn = (line: number, { table, columns }: TableStart, row: readonly (string | null)[], { tables }: Known,
  id: string): void => {
  const by = columns.indexOf(tables.get(table)?.by ?? '')
  if (row[by] !== id) throw new Damage(line, `The row of ${table} is of another workspace`)
}

/**
 * Reads the archive to its end before anything is written.
 * @returns its header
 * @throws archive_newer, archive_damaged
 */
export const checkArchive = async (spool: Spool, known: Known): Promise<Header> => {
  let header: Header | undefined
  let cells: CheckedCells | undefined
  let count = 0
  try {
    for await (const part of readParts(spool)) {
      if ('header' in part) {
        header = part.header
        if (!known.migrations.includes(header.migration)) throw ArchiveNewer()
      } else if ('start' in part) {
        columnsOf(part.line, part.start, known)
        cells = new CheckedCells(part.start)
      } else {
        requireOwn(part.line, part.of, part.row, known, header?.workspace.id ?? '')
        cells?.check(part.line, part.row)
        if (part.of.table === 'workspace') count++
      }
    }
    if (!header || count !== 1) throw new Damage(1, 'The archive has no workspace, or several')
    return header
  } catch (error) {
    throw asDamage(error)
  }
}
