import { sql, type RawBuilder } from 'kysely'

/** What a page of a list asks for: rows made before the one with this id, newest first. */
export interface Slice { before?: string | undefined, limit: number }

export const older = (before: string | undefined): RawBuilder<boolean> =>
  before === undefined ? sql<boolean>`true` : sql<boolean>`id < ${before}::uuid`

/** @param revisions undefined = any */
export const atRevision = (revisions: number[] | undefined): RawBuilder<boolean> =>
  revisions === undefined ? sql<boolean>`true` : sql<boolean>`revision = any(${revisions}::integer[])`
