import { findChain } from '../../../db/record/chain.js'
import { findCheckpoint, listCheckpoints, listUsedKeys, type CheckpointRow } from '../../../db/record/checkpoints.js'
import { listEntriesAfter, type EntryFilter } from '../../../db/record/entries.js'
import { canonicalJson, noHash, type Entry } from '../../../lib/record/entry.js'
import { toPublicKey, type Checkpoint } from '../../../lib/record/checkpoint.js'
import { numberEntries } from './number-entries.js'
import { toCheckpoint, toEntry } from './show-entries.js'
import type { Deps } from './sign-checkpoint.js'

const batch = 200

/** What is exported: all of a workspace up to its last checkpoint, which is made for that. */
interface Extent { after: number, upTo: number, first: CheckpointRow | undefined, last: CheckpointRow | undefined }

const extentOf = async (deps: Deps, workspaceId: string): Promise<Extent> => {
  await numberEntries(deps, workspaceId, 'now')
  const chain = await findChain(deps.db, workspaceId)
  const { cut_seq: after = 0, checkpoint_seq: upTo = 0 } = chain ?? {}
  const [first, last] = await Promise.all([after, upTo].map((seq) => findCheckpoint(deps.db, workspaceId, seq)))
  return { after, upTo, first, last }
}

async function * readEntries (deps: Deps, workspaceId: string, filter: EntryFilter, { after, upTo }: Extent):
AsyncGenerator<Entry[]> {
  for (let seq = after; ;) {
    const rows = await listEntriesAfter(deps.db, workspaceId, filter, seq, upTo, batch)
    if (rows.length > 0) yield rows.map(toEntry)
    const last = rows.at(-1)
    if (!last || rows.length < batch) return
    seq = last.seq
  }
}

const headerOf = async (deps: Deps, workspaceId: string, filters: object, { after, first, last }: Extent) => ({
  type: 'export',
  version: 1,
  workspace_id: workspaceId,
  at: new Date().toISOString(),
  filters: Object.keys(filters).length > 0 ? filters : null,
  after: { seq: after, hash: first?.hash ?? noHash },
  checkpoint: last ? toCheckpoint(last) : null,
  keys: (await listUsedKeys(deps.db, workspaceId)).map(({ key_id: id, public_key: x }) => toPublicKey(id, x))
})

const line = (value: object): string => `${canonicalJson(value)}\n`

/** Puts each checkpoint behind the entry that it signs; after a cut, the one that proves the cut comes first. */
async function * withCheckpoints (deps: Deps, workspaceId: string, extent: Extent,
  batches: AsyncGenerator<Entry[]>): AsyncGenerator<(Entry | Checkpoint)[]> {
  if (extent.first) yield [toCheckpoint(extent.first)]
  for await (const entries of batches) {
    const [from = 0, to = 0] = [entries[0]?.seq, entries.at(-1)?.seq]
    const signed = await listCheckpoints(deps.db, workspaceId, from - 1, to, entries.length)
    const bySeq = new Map(signed.map((row) => [row.seq, toCheckpoint(row)]))
    yield entries.flatMap((entry) => [entry, bySeq.get(entry.seq) ?? []].flat())
  }
}

/**
 * Reads the record as lines of canonical JSON: a header, entries with the checkpoints that sign them, and an end. With
 * filters it is a part, in which no link can be verified.
 * @param filters as they were asked, for the header
 */
export async function * exportLines (deps: Deps, workspaceId: string, filter: EntryFilter, filters: object):
AsyncGenerator<string> {
  const extent = await extentOf(deps, workspaceId)
  yield line(await headerOf(deps, workspaceId, filters, extent))
  const isWhole = Object.keys(filters).length === 0
  const entries = readEntries(deps, workspaceId, filter, extent)
  let [count, last] = [0, { seq: extent.after, hash: extent.first?.hash ?? noHash }]
  const parts: AsyncGenerator<(Entry | Checkpoint)[]> =
    isWhole ? withCheckpoints(deps, workspaceId, extent, entries) : entries
  for await (const part of parts) {
    for (const one of part) {
      if (one.type !== 'entry') continue
      count++
      last = one
    }
    yield part.map(line).join('')
  }
  yield line({ type: 'end', entries: count, seq: last.seq, hash: last.hash })
}

const csvColumns = ['seq', 'at', 'kind', 'write_id', 'operation', 'target', 'outcome', 'status', 'user_id', 'via',
  'via_id', 'remote_address', 'request_id', 'id', 'body', 'previous', 'hash'] as const

/** A cell that a spreadsheet would take for a formula begins with an apostrophe (OWASP, CSV injection). */
const toCell = (value: unknown): string => {
  if (value === null || value === undefined) return ''
  const text = typeof value === 'object' ? canonicalJson(value) : String(value)
  const harmless = /^[=+\-@\t\r\n]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}

/** Reads the record as CSV (RFC 4180), with a line of names. */
export async function * exportCsv (deps: Deps, workspaceId: string, filter: EntryFilter): AsyncGenerator<string> {
  const extent = await extentOf(deps, workspaceId)
  yield `${csvColumns.join()}\r\n`
  for await (const entries of readEntries(deps, workspaceId, filter, extent)) {
    yield entries.map((entry) => `${csvColumns.map((name) => toCell(entry[name])).join()}\r\n`).join('')
  }
}
