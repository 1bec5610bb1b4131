import type { Db } from '../../../../db/index.js'
import type { AttachedStandard } from '../../../../schemas/pse/sessions.js'
import type { ResolvedStandard } from 'steward-spec-engine/schemas'
import { StandardUnknown } from './errors.js'
import { findAny, findAnyVersion } from './find-standard.js'
import { inheritRules } from './inherit-rules.js'

export interface Pinned { standard_id: string, version: number }

const unknown = (pointer: string) => StandardUnknown(undefined, {
  errors: [{ pointer, code: 'standard_unknown', message: 'There is no such standard or version' }]
})

/**
 * Pins each attached standard to its version, or to the newest.
 * @returns one pin for each; `archived` names the archived ones, which still resolve
 * @throws standard_unknown
 */
export const pinStandards = async (db: Db, workspaceId: string, attached: readonly AttachedStandard[]):
Promise<{ pins: Pinned[], archived: string[] }> => {
  const rows = await Promise.all(attached.map(async ({ standard_id: id, version }, at) => {
    const row = await findAny(db, workspaceId, id)
    if (!row || (version ?? 1) > row.version) throw unknown(`/standards/${at}/standard_id`)
    return { pin: { standard_id: row.id, version: version ?? row.version }, row }
  }))
  return {
    pins: rows.map(({ pin }) => pin),
    archived: rows.filter(({ row }) => row.status === 'archived').map(({ row }) => row.key)
  }
}

/** @returns the pinned versions with their own and inherited rules @throws standard_unknown, rule_invalid */
export const resolveStandards = (db: Db, workspaceId: string, pins: readonly Pinned[]): Promise<ResolvedStandard[]> =>
  Promise.all(pins.map(async ({ standard_id: id, version }, at) => {
    const row = await findAny(db, workspaceId, id)
    const found = await findAnyVersion(db, workspaceId, id, version)
    if (!row || !found) throw unknown(`/standards/${at}/standard_id`)
    const { title, kind, body_markdown } = found.content
    const rules = await inheritRules(db, workspaceId, row.id, found.content, false)
    return { standard_id: row.id, key: row.key, version, title, kind, body_markdown, rules }
  }))
