import { Type } from '@sinclair/typebox'
import { defineError, NotFound, type ApiError } from './errors.js'

export const Revision = Type.Integer({ minimum: 1, description: 'Counts the changes; the ETag is "r<revision>"' })

export const IfMatch = Type.Object({
  'if-match': Type.Optional(Type.String({
    maxLength: 1000, description: 'An ETag of the record, such as "r3": the change is made only if it is still current'
  }))
})

export const StaleRevision = defineError('stale_revision', 'The record has changed since that revision', 412)

export const etag = (revision: number): string => `"r${revision}"`

const noRevision = 0

/** @returns the revisions that an If-Match header accepts; undefined = any */
export const readIfMatch = (header: string | undefined): number[] | undefined => {
  if (header === undefined || header.trim() === '*') return undefined
  return header.split(',').map((part) => Number(/^"r([1-9]\d{0,8})(?:\.[\w-]{1,40})?"$/.exec(part.trim())?.[1] ?? noRevision))
}

/** @returns why a change by id and revision changed nothing */
export const explainMiss = (current: { revision: number } | undefined): ApiError => {
  if (!current) return NotFound()
  return StaleRevision(`The current revision is ${current.revision}`, { current })
    .withHeaders({ etag: etag(current.revision) })
}
