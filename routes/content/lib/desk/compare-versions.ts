import type { Db } from '../../../../db/index.js'
import type { VersionRow } from '../../../../db/content/versions.js'
import type { ContentComparison } from '../../../../schemas/content/comparisons.js'
import { changedFields } from '../texts/diff-content.js'
import { requireContent, requireVersion } from '../texts/find-content.js'
import { readText } from '../text/read-text.js'

const sideOf = ({ version, body: { title }, checks: { score, verdict, brand_version } }: VersionRow) =>
  ({ version, title, score, verdict, brand_version })

/** @throws not_found for a version that is not there */
export const compareVersions = async (db: Db, workspaceId: string, id: string,
  { from, to }: { from: number, to?: number }): Promise<ContentComparison> => {
  const row = await requireContent(db, workspaceId, id)
  const before = await requireVersion(db, workspaceId, id, from)
  const after = await requireVersion(db, workspaceId, id, to ?? row.head_version)
  const [old, now] = [before.checks, after.checks]
  return {
    from: sideOf(before),
    to: sideOf(after),
    same_rules: old.ruleset_hash === now.ruleset_hash && old.linter_version === now.linter_version,
    fields: changedFields(before.body, after.body),
    ...await readText('sideBySide', before.body, after.body, old.findings, now.findings)
  }
}
