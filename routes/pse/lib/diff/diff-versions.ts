import type { Db } from '../../../../db/index.js'
import type { VersionRow } from '../../../../db/pse/versions.js'
import type { DiffSpecQuery, SpecDiff } from 'steward-spec-engine/schemas'
import { runInProcess } from '../process/run-in-process.js'
import { readVersion } from '../sessions/read-version.js'
import type { Compared } from 'steward-spec-engine/diff'

const comparedOf = ({ version, document }: VersionRow): Compared => ({ version, document })

/** Compares two versions of a session, in any order. @throws not_found, no_version, overloaded */
export const diffVersions = async (db: Db, workspaceId: string, sessionId: string,
  { from, to, granularity }: DiffSpecQuery): Promise<SpecDiff> => {
  const after = await readVersion(db, workspaceId, sessionId, to)
  const base = from ?? after.parent_version
  const before = base === null ? undefined : await readVersion(db, workspaceId, sessionId, base)
  return runInProcess('compare', before && comparedOf(before), comparedOf(after), granularity)
}
