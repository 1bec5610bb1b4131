import type { ContentRow } from '../../../../db/content/contents.js'
import type { findLastOutput } from '../../../../db/content/generation-outputs.js'
import type { VersionRow } from '../../../../db/content/versions.js'
import type { Content, ContentSummary } from '../../../../schemas/content/contents.js'

const isChanged = ({ published_version: live, head_version: head }: ContentRow) => live !== null && live !== head

const summarize = (row: ContentRow): ContentSummary => ({ ...row, has_unpublished_changes: isChanged(row) })

type LastOutput = Awaited<ReturnType<typeof findLastOutput>>

export interface Beside { generation: LastOutput, suggestions: Content['suggestions'] }

/** @returns the record with one of its versions, its last generation and its suggestions */
export const describeContent = (row: ContentRow, version: VersionRow, { generation, suggestions }: Beside):
Content => ({
  ...summarize(row),
  version: version.version,
  ...version.body,
  checks: version.checks,
  generation: generation ?? null,
  suggestions
})
