import type { Slice } from '../../../../db/filters.js'
import type { Db } from '../../../../db/index.js'
import {
  findStandard, findStandardVersion, listStandards, type StandardListRow, type StandardRow, type VersionRow
} from '../../../../db/pse/standards.js'
import type { ListStandards } from '../../../../schemas/pse/standards.js'
import { builtins, type Builtin } from './builtin.js'

/** Finds a standard by id or key in the workspace, or else among the built-in ones. */
export const findAny = async (db: Db, workspaceId: string, name: string): Promise<StandardRow | undefined> => {
  const builtin = builtins.find(({ row: { id, key } }) => id === name || key === name)
  return await findStandard(db, workspaceId, name) ?? builtin?.row
}

export const findAnyVersion = async (db: Db, workspaceId: string, id: string, version: number):
Promise<VersionRow | undefined> => {
  const builtin = builtins.find(({ row }) => row.id === id)
  const content = builtin?.versions[version - 1]
  return builtin ? content && { version, content } : findStandardVersion(db, workspaceId, id, version)
}

type Filter = Pick<ListStandards, 'kind' | 'tag' | 'status' | 'project_id'>

/** Built-in standards belong to every project, so that project_id does not filter them. */
const fits = ({ kind, tag, status }: Filter, listed: StandardListRow): boolean =>
  (kind === undefined || listed.brief.kind === kind) && (tag === undefined || listed.brief.tags.includes(tag)) &&
  (status === undefined || listed.status === status)

const toListed = ({ row, versions }: Builtin): StandardListRow[] => versions.slice(-1).map((content) => {
  const { rules, body_markdown: _, overrides: __, ...brief } = content
  return { ...row, brief, rule_count: rules.length }
})

/** @returns a page, newest first, with the built-in standards last */
export const listAny = async (db: Db, workspaceId: string, filter: Filter, slice: Slice):
Promise<StandardListRow[]> => {
  const rows = await listStandards(db, workspaceId, filter, slice)
  const { before, limit } = slice
  const more = builtins.flatMap(toListed)
    .filter((listed) => fits(filter, listed) && (before === undefined || listed.id < before))
  return [...rows, ...more].slice(0, limit)
}
