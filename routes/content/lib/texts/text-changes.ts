import { isDeepStrictEqual } from 'node:util'
import type { Change } from '../../../../lib/tools/options.js'
import type { ContentBody } from 'steward-prose-engine/schemas'

const fields = ['title', 'slug', 'summary', 'body_markdown', 'fields', 'seo', 'media', 'waivers', 'citations'] as const

export type Texts = Partial<Pick<ContentBody, typeof fields[number]>>

/** @returns whether a value is empty; an object is empty if every member is */
const isEmpty = (value: unknown): boolean => value === undefined || value === '' || value === false ||
  (typeof value === 'object' && value !== null && Object.values(value).every(isEmpty))

/** @returns a row for each field of a text; of a new text, for each field that is not empty */
export const textChanges = (before: Texts | null, after: Texts): Change[] => fields
  .filter((field) => before === null ? !isEmpty(after[field]) : after[field] !== undefined)
  .map((field) => ({ label: field, field, before: before?.[field], after: after[field] }))

export const isSameText = (before: Texts, after: Texts): boolean =>
  textChanges(before, after).every((change) => isDeepStrictEqual(change.before, change.after))
