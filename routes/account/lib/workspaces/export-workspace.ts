import type { FastifyInstance } from 'fastify'
import { findWorkspaceById } from '../../../../db/account/workspaces.js'
import { readRows, readSnapshot } from '../../../../db/archive-rows.js'
import { listArchivedTables, listMigrations, type ArchivedTable } from '../../../../db/archived-tables.js'
import { insertAudit } from '../../../../db/audit.js'
import type { Db } from '../../../../db/index.js'
import { ArchiveCipher } from '../../../../lib/archives/cipher.js'
import { ArchiveWriter } from '../../../../lib/archives/format.js'
import { ObjectCells, type ReadObject, SecretCells, type Recrypt } from '../../../../lib/archives/object-cells.js'
import { Spool } from '../../../../lib/archives/spool.js'
import { stewardVersion } from '../../../../lib/openapi/version.js'
import { NotFound } from '../../../../schemas/errors.js'
import { ObjectStoreFailed, requireUnscoped } from '../errors.js'
import type { Request } from './workspaces.js'

export type ArchiveDeps = Pick<FastifyInstance, 'db' | 'secrets' | 'home' | 'sandbox' | 'objects'>

/** @returns what reads objects; without a store there is nothing to read. It throws object_store_failed */
const readerOf = async ({ objects }: ArchiveDeps): Promise<ReadObject> => {
  const store = await objects?.()
  return async (key) => store?.read(key).catch((error: unknown) => {
    throw ObjectStoreFailed(error instanceof Error ? `It says that ${error.message}` : undefined)
  })
}

interface Cells { recrypt: Recrypt, read: ReadObject }

const writeTable = async (trx: Db, writer: ArchiveWriter, table: ArchivedTable, id: string,
  { recrypt, read }: Cells) => {
  const columns = table.columns.map(({ name }) => name)
  const cells = new SecretCells(table.name, columns)
  const objects = new ObjectCells(table.name, columns)
  await writer.startTable({ table: table.name, columns })
  for await (const rows of readRows(trx, table, id)) {
    // One after the other, so that no more than one image is in memory.
    for (const row of rows) {
      await writer.addRows(table.name, [await objects.fill(cells.recrypt(row, recrypt), read)])
    }
  }
}

const writeAll = async (deps: ArchiveDeps, spool: Spool, id: string, cipher: ArchiveCipher | undefined):
Promise<void> => {
  const read = await readerOf(deps)
  const recrypt: Recrypt = (context, encrypted) =>
    cipher?.encrypt(context, deps.secrets.decrypt(context, encrypted)) ?? null
  return readSnapshot(deps.db, async (trx) => {
    const workspace = await findWorkspaceById(trx, id)
    if (!workspace) throw NotFound()
    const writer = new ArchiveWriter(spool)
    await writer.begin({
      format: 'steward-archive',
      version: 1,
      steward: stewardVersion,
      migration: (await listMigrations(trx)).at(-1) ?? '',
      workspace: { id, name: workspace.name },
      encryption: cipher?.encryption ?? null
    })
    for (const table of await listArchivedTables(trx)) {
      await writeTable(trx, writer, table, id, { recrypt, read })
    }
    await writer.end()
  })
}

/** What is done to a workspace from outside is in its own audit: its people do not see the installation's. */
export const auditThere = ({ db, home }: ArchiveDeps, id: string, operation: string, request: Request) =>
  id === home.workspace_id
    ? undefined
    : insertAudit(db, {
      workspace_id: id,
      user_id: null,
      via: 'system',
      via_id: null,
      operation,
      target: id,
      outcome: 'succeeded',
      status: 200,
      remote_address: request.address,
      request_id: request.requestId
    })

/**
 * Writes everything of a workspace into a file, from one snapshot. The workspace's own audit then says so.
 * @returns the file; whoever reads it to its end closes it
 * @throws insufficient_scope, not_found, object_store_failed
 */
export const exportWorkspace = async (deps: ArchiveDeps, id: string, passphrase: string | undefined,
  request: Request): Promise<Spool> => {
  requireUnscoped(request.by, 'An archive has everything of a workspace')
  const cipher = passphrase === undefined ? undefined : await ArchiveCipher.open(passphrase, id)
  const spool = await Spool.open()
  try {
    await writeAll(deps, spool, id, cipher)
    await auditThere(deps, id, 'exportWorkspace', request)
    return spool
  } catch (error) {
    await spool.close()
    throw error
  }
}
