import { endAssistantsOf } from '../../../../db/account/assistants.js'
import {
  announceWorkspaces, findWorkspaceById, hasWorkspace, keepFreeHosts, lockHosts
} from '../../../../db/account/workspaces.js'
import { insertRows, isRefusedRow, writeArchive, type ArchivedRow } from '../../../../db/archive-rows.js'
import {
  listArchivedTables, listMigrations, type ArchivedColumn, type ArchivedTable
} from '../../../../db/archived-tables.js'
import { forgetEncrypted, type EncryptedCell } from '../../../../db/encrypted-columns.js'
import type { Db } from '../../../../db/index.js'
import { dropAmbient, endUnfinished } from '../../../../db/unfinished-work.js'
import { CheckedCells } from '../../../../lib/archives/checked-cells.js'
import { ArchiveCipher } from '../../../../lib/archives/cipher.js'
import { readParts, type Header, Damage, type TableStart } from '../../../../lib/archives/format.js'
import { RemadeCells } from '../../../../lib/archives/remade-cells.js'
import { SecretCells, type Recrypt } from '../../../../lib/archives/object-cells.js'
import { Spool } from '../../../../lib/archives/spool.js'
import { parseHostName } from '../../../../lib/http/addresses.js'
import type { Principal } from '../../../../lib/security/principal.js'
import type { ImportedWorkspace } from '../../../../schemas/account/workspaces.js'
import { MalformedRequest, NotFound, type ApiError } from '../../../../schemas/errors.js'
import { ArchivePassphrase, WorkspaceExists, ArchiveDamaged, ArchiveNewer, requireUnscoped } from '../errors.js'
import type { ArchiveDeps } from './export-workspace.js'

/** What this installation knows: its tables, by name, and the migrations that were run. */
interface Known { tables: ReadonlyMap<string, ArchivedTable>, migrations: readonly string[] }

/** @returns the error with the line as a pointer */
const damagedAt = (line: number, message: string): ApiError => {
  const pointer = `/lines/${line}`
  return ArchiveDamaged(`${pointer} ${message}`, { errors: [{ pointer, code: 'archive_damaged', message }] })
}

/** @returns what it throws as the error that crosses the wire */
export const asDamage = (error: unknown): unknown => {
  if (error instanceof Damage) return damagedAt(error.line, error.message)
  return error instanceof RangeError ? ArchiveDamaged(error.message) : error
}

/** @returns the table's columns in the order of the archive. @throws Damage */
const columnsOf = (line: number, { table, columns }: TableStart, { tables }: Known): ArchivedColumn[] => {
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
const checkArchive = async (spool: Spool, known: Known): Promise<Header> => {
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

const batchRows = 500
const batchChars = 1_000_000

/** Rows of one table on their way into the database, some at a time. */
class Batch {
  #rows: ArchivedRow[] = []
  #chars = 0

  constructor (private readonly trx: Db, private readonly table: string, private readonly columns: ArchivedColumn[]) {}

  async add (row: ArchivedRow, line: number): Promise<void> {
    this.#rows.push(row)
    this.#chars += row.reduce((sum, value) => sum + (value?.length ?? 0), 0)
    if (this.#rows.length === batchRows || this.#chars > batchChars) await this.flush(line)
  }

  /** @param line of the last row. @throws archive_damaged */
  async flush (line: number): Promise<void> {
    const rows = this.#rows
    this.#rows = []
    this.#chars = 0
    if (rows.length === 0) return
    try {
      await insertRows(this.trx, this.table, this.columns, rows)
    } catch (error) {
      if (!isRefusedRow(error)) throw error
      const which = rows.length === 1 ? 'this row' : `this row, or one of the next ${rows.length - 1}`
      throw damagedAt(line - rows.length + 1, `${this.table} does not take ${which}`)
    }
  }
}

/** @throws archive_passphrase */
const cipherOf = async ({ encryption, workspace: { id } }: Header, passphrase: string | undefined) => {
  if (encryption === null) return undefined
  if (passphrase === undefined) throw ArchivePassphrase()
  const cipher = await ArchiveCipher.open(passphrase, id)
  if (!cipher.isOf(encryption)) throw ArchivePassphrase('The archive has another passphrase')
  return cipher
}

/** @throws archive_damaged */
const recryptBy = ({ secrets }: ArchiveDeps, cipher: ArchiveCipher | undefined, line: number): Recrypt =>
  (context, encrypted) => {
    try {
      return cipher ? secrets.encrypt(context, cipher.decrypt(context, encrypted)) : null
    } catch {
      throw damagedAt(line, 'A secret is not what was encrypted')
    }
  }

/** @returns how many rows, and the cells whose secrets the archive left out */
const insertAll = async (deps: ArchiveDeps, trx: Db, spool: Spool, known: Known, cipher: ArchiveCipher | undefined,
  id: string) => {
  const lost: EncryptedCell[] = []
  let rows = 0
  let last = 0
  let open: { batch: Batch, cells: SecretCells, remade: RemadeCells } | undefined
  for await (const part of readParts(spool)) {
    if ('start' in part) {
      await open?.batch.flush(part.line - 1)
      const { table, columns } = part.start
      open = {
        batch: new Batch(trx, table, columnsOf(part.line, part.start, known)),
        cells: new SecretCells(table, columns),
        remade: new RemadeCells(part.start)
      }
    } else if ('row' in part && open) {
      const row = open.cells.recrypt(open.remade.remake(part.row), recryptBy(deps, cipher, part.line))
      lost.push(...open.cells.listLost(row, id))
      await open.batch.add(row, part.line)
      rows++
    }
    last = part.line
  }
  await open?.batch.flush(last)
  return { rows, lost }
}

/** @returns the host names that it does not keep */
const settleHosts = async (trx: Db, id: string, hosts: readonly string[], own: string | undefined) => {
  const proper = hosts.filter((host) => parseHostName(host) === host && host !== own)
  const kept = await keepFreeHosts(trx, id, proper)
  await announceWorkspaces(trx)
  return hosts.filter((host) => !kept.includes(host))
}

const write = (deps: ArchiveDeps, spool: Spool, known: Known, header: Header, cipher: ArchiveCipher | undefined,
  own: string | undefined): Promise<ImportedWorkspace> => writeArchive(deps.db, async (trx) => {
  const { workspace: { id } } = header
  await lockHosts(trx)
  if (await hasWorkspace(trx, id)) throw WorkspaceExists()
  const { rows, lost } = await insertAll(deps, trx, spool, known, cipher, id)
  for (const cell of lost) await forgetEncrypted(trx, cell)
  const dropped = await settleHosts(trx, id, (await findWorkspaceById(trx, id))?.hosts ?? [], own)
  await endAssistantsOf(trx, id)
  const ended = await endUnfinished(trx, id)
  const identities = deps.sandbox.aws === undefined ? await dropAmbient(trx, id) : 0
  const workspace = await findWorkspaceById(trx, id)
  if (!workspace) throw NotFound()
  return {
    workspace, rows, dropped_hosts: dropped, lost_secrets: lost.length, lost_identities: identities, ended_work: ended
  }
})

/** @throws malformed_request when the body does not come to its end */
const keep = async (spool: Spool, body: AsyncIterable<Buffer>): Promise<void> => {
  try {
    for await (const chunk of body) await spool.write(chunk)
  } catch {
    throw MalformedRequest('The archive did not arrive to its end')
  }
  await spool.flush()
}

/**
 * Makes the workspace of an archive, all of it or nothing. It is kept in a file first: neither a slow client nor a
 * damaged archive holds a transaction.
 * @param own the host name of PUBLIC_URL, which only the first workspace may have
 * @throws insufficient_scope, workspace_exists, archive_newer, archive_damaged, archive_passphrase
 */
export const importWorkspace = async (deps: ArchiveDeps, by: Principal, body: AsyncIterable<Buffer>,
  passphrase: string | undefined, own: string | undefined): Promise<ImportedWorkspace> => {
  requireUnscoped(by, 'An archive brings people and their rights')
  const spool = await Spool.open()
  try {
    await keep(spool, body)
    const tables = new Map((await listArchivedTables(deps.db)).map((table) => [table.name, table]))
    const known = { tables, migrations: await listMigrations(deps.db) }
    const header = await checkArchive(spool, known)
    if (await hasWorkspace(deps.db, header.workspace.id)) throw WorkspaceExists()
    return await write(deps, spool, known, header, await cipherOf(header, passphrase), own)
  } finally {
    await spool.close()
  }
}
