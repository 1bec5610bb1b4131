import { createHash } from 'node:crypto'
import { Type, type Static, type TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { ArchivedRow } from '../../db/archive-rows.js'
import type { Spool } from './spool.js'

/** Far above any row; a file without line ends does not fill the memory. */
const maxBytes = 67_108_864

/**
 * @returns the lines of a stream, each without its end; `undefined` last where the last line has no end
 * @throws RangeError for a line that is too long
 */
async function * linesOf (chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer | undefined> {
  let parts: Buffer[] = []
  let bytes = 0
  for await (const chunk of chunks) {
    let from = 0
    for (let end; (end = chunk.indexOf(10, from)) >= 0; from = end + 1) {
      yield Buffer.concat([...parts, chunk.subarray(from, end)])
      parts = []
      bytes = 0
    }
    parts.push(chunk.subarray(from))
    bytes += chunk.length - from
    if (bytes > maxBytes) throw new RangeError('A line is too long')
  }
  if (bytes > 0) yield undefined
}

const closed = { additionalProperties: false }
const Text = Type.String()
// Formats are not known to Value.Check.
const Id = Type.String({ pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' })
const Count = Type.Integer({ minimum: 0 })

const Header = Type.Object({
  format: Type.Literal('steward-archive'),
  version: Type.Literal(1),
  steward: Text,
  migration: Text,
  workspace: Type.Object({ id: Id, name: Text }, closed),
  encryption: Type.Union([Type.Null(), Type.Object({
    cipher: Type.Literal('aes-256-gcm'),
    kdf: Type.Literal('scrypt'),
    n: Count,
    r: Count,
    p: Count,
    salt: Text,
    check: Text
  }, closed)])
}, closed)
export type Header = Static<typeof Header>

const TableStart = Type.Object({ table: Text, columns: Type.Array(Text, { uniqueItems: true }) }, closed)
export type TableStart = Static<typeof TableStart>

const End = Type.Object({ rows: Type.Record(Text, Count), sha256: Text }, closed)
const Row = Type.Array(Type.Union([Type.String(), Type.Null()]))

/** The first line of an archive, the first line of a table, or a row. */
export type Part = { line: number } &
  ({ header: Header } | { start: TableStart } | { of: TableStart, row: ArchivedRow })

/** What is wrong with an archive, and in which line, from 1. */
export class Damage extends Error {
  constructor (readonly line: number, message: string) {
    super(message)
  }
}

/** Writes the lines of an archive, the last with the counts of the rows and the hash of all lines before it. */
export class ArchiveWriter {
  readonly #hash = createHash('sha256')
  readonly #rows: Record<string, number> = {}

  constructor (private readonly spool: Spool) {}

  get rows (): number { return Object.values(this.#rows).reduce((sum, count) => sum + count, 0) }

  begin (header: Header): Promise<void> { return this.#write(header) }

  startTable (start: TableStart): Promise<void> {
    this.#rows[start.table] = 0
    return this.#write(start)
  }

  async addRows (table: string, rows: readonly ArchivedRow[]): Promise<void> {
    this.#rows[table] = (this.#rows[table] ?? 0) + rows.length
    for (const row of rows) await this.#write(row)
  }

  async end (): Promise<void> {
    await this.#write({ rows: this.#rows, sha256: this.#hash.copy().digest('hex') })
    await this.spool.flush()
  }

  async #write (value: object): Promise<void> {
    const line = Buffer.from(`${JSON.stringify(value)}\n`)
    this.#hash.update(line)
    await this.spool.write(line)
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

const parse = (line: number, bytes: Buffer | undefined): unknown => {
  try {
    if (bytes !== undefined) return JSON.parse(utf8.decode(bytes))
  } catch { /* Below. */ }
  throw new Damage(line, bytes === undefined ? 'The last line has no end' : 'The line is not JSON')
}

const isA = <T extends TSchema>(schema: T, value: unknown): value is Static<T> => Value.Check(schema, value)

const requireEnd = (line: number, end: Static<typeof End>, rows: Record<string, number>, sha256: string): void => {
  if (end.sha256 !== sha256) throw new Damage(line, 'The lines before are not those that were written')
  const names = new Set([...Object.keys(end.rows), ...Object.keys(rows)])
  for (const name of names) {
    if (end.rows[name] !== rows[name]) throw new Damage(line, `There are not as many rows of ${name} as were written`)
  }
}

/**
 * @returns the parts of the archive in their order. Only when it has come to its end was the archive whole
 * @throws Damage where it is not
 */
export async function * readParts (spool: Spool): AsyncGenerator<Part> {
  const hash = createHash('sha256')
  const rows: Record<string, number> = {}
  let start: TableStart | undefined
  let line = 0
  let ended = false
  // Bytes, as the stream has no encoding.
  for await (const bytes of linesOf(spool.read() as AsyncIterable<Buffer>)) {
    const value = parse(++line, bytes)
    if (ended) throw new Damage(line, 'There is a line after the last one')
    if (line === 1) {
      if (!isA(Header, value)) throw new Damage(line, 'This is no archive of a workspace, or of another format')
      yield { line, header: value }
    } else if (isA(End, value)) {
      requireEnd(line, value, rows, hash.copy().digest('hex'))
      ended = true
    } else if (isA(TableStart, value)) {
      if (rows[value.table] !== undefined) throw new Damage(line, `The table ${value.table} comes twice`)
      start = value
      rows[value.table] = 0
      yield { line, start }
    } else {
      if (!start || !isA(Row, value) || value.length !== start.columns.length) {
        throw new Damage(line, 'The line is not a row with the columns of its table')
      }
      rows[start.table] = (rows[start.table] ?? 0) + 1
      yield { line, of: start, row: value }
    }
    hash.update(bytes ?? '').update('\n')
  }
  if (!ended) throw new Damage(line + 1, 'The archive ends here: it was cut off')
}
