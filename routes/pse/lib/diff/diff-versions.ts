import type { Db } from '../../../../db/index.js'
import type { VersionRow } from '../../../../db/pse/versions.js'
import type { DiffSpecQuery, SpecDiff } from '../../../../schemas/pse/diff.js'
import { renderMarkdown } from '../export/markdown.js'
import { readVersion } from '../read-version.js'
import { diffItems } from './diff-items.js'
import { diffByLine, diffByWord } from './diff-texts.js'

const nameOf = (row: VersionRow | undefined) => row ? `v${row.version}.md` : '/dev/null'

const compare = (before: VersionRow | undefined, after: VersionRow, granularity: DiffSpecQuery['granularity']):
SpecDiff => {
  const between = { from: before?.version ?? null, to: after.version }
  if (granularity === 'requirement') {
    return { granularity, ...between, ...diffItems(before?.document, after.document) }
  }
  const [from, to] = [before ? renderMarkdown(before.document) : '', renderMarkdown(after.document)]
  return granularity === 'line'
    ? { granularity, ...between, ...diffByLine(from, to, [nameOf(before), nameOf(after)]) }
    : { granularity, ...between, parts: diffByWord(from, to) }
}

/** Compares two versions of a session, in any order. @throws not_found, no_version */
export const diffVersions = async (db: Db, workspaceId: string, sessionId: string,
  { from, to, granularity }: DiffSpecQuery): Promise<SpecDiff> => {
  const after = await readVersion(db, workspaceId, sessionId, to)
  const base = from ?? after.parent_version
  const before = base === null ? undefined : await readVersion(db, workspaceId, sessionId, base)
  return compare(before, after, granularity)
}
