import type { ResolvedStandard, StandardRule } from 'steward-spec-engine/schemas'
import type { Slice } from '../../../../db/columns.js'
import type { Db } from '../../../../db/index.js'
import {
  type StandardListRow, type StandardRow, type VersionRow, findStandard, findStandardVersion, listStandards
} from '../../../../db/pse/standards.js'
import { defineError, type FieldError } from '../../../../schemas/errors.js'
import type { AttachedStandard } from '../../../../schemas/pse/sessions.js'
import type { Standard, StandardSummary, ListStandards, StandardContent } from '../../../../schemas/pse/standards.js'
import { isBuiltin, builtins, type Builtin } from './builtin.js'

export const KeyTaken = defineError('key_taken', 'Another standard has this key', 409)
export const BuiltinStandard = defineError('builtin_standard',
  'The standard comes with Steward; clone it and change the clone', 403)
export const StandardArchived = defineError('standard_archived',
  'The standard is archived; send its status as active to bring it back', 409)
export const StandardIdRequired = defineError('standard_id_required', 'Say which standard is meant', 400)
export const StandardIdConflict = defineError('standard_id_conflict', 'The request names two standards', 400)
export const RuleInvalid = defineError('rule_invalid', 'The standard cannot be used as it is', 422)
export const ReadOnlyField = defineError('read_only_field', 'This field cannot be changed', 422)
export const StandardUnknown = defineError('standard_unknown', 'There is no such standard or version', 422)

const known = ({ id, ...row }: StandardRow) =>
  ({ standard_id: id, ...row, source: isBuiltin(id) ? 'builtin' as const : 'user' as const })

export const describeStandard = (row: StandardRow, { version, content }: VersionRow): Standard =>
  ({ ...known(row), ...content, version })

export const describeListed = ({ brief, rule_count, ...row }: StandardListRow): StandardSummary =>
  ({ ...known(row), ...brief, rule_count })

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

/** Limits of inheritance. */
const maxAncestors = 30
const maxDepth = 5
const maxRules = 1_000

const ruleInvalid = (pointer: string, message: string) => {
  const error: FieldError = { pointer, code: 'rule_invalid', message }
  return RuleInvalid(message, { errors: [error] })
}

interface Walk { db: Db, workspaceId: string, seen: number }

const readParent = async ({ db, workspaceId }: Walk, { standard, version }: StandardContent['extends'][number],
  pointer: string) => {
  const row = await findAny(db, workspaceId, standard)
  const found = row && await findAnyVersion(db, workspaceId, row.id, version ?? row.version)
  if (!row || !found) {
    throw ruleInvalid(pointer, `There is no standard ${standard}${version ? ` of version ${version}` : ''}`)
  }
  return { id: row.id, key: row.key, content: found.content }
}

const overridden = (rules: Map<string, StandardRule>, { overrides }: StandardContent, isOwn: boolean): void => {
  for (const [at, { rule_id: id, severity }] of overrides.entries()) {
    const rule = rules.get(id)
    if (rule) rules.set(id, { ...rule, severity })
    // A parent may have lost the rule since the child was stored, which is no error of the child.
    else if (isOwn) throw ruleInvalid(`/overrides/${at}/rule_id`, `No rule of this id is inherited: ${id}`)
  }
}

const collect = async (walk: Walk, content: StandardContent, path: readonly string[], from: string, isOwn: boolean):
Promise<Map<string, StandardRule>> => {
  const rules = new Map<string, StandardRule>()
  for (const [at, parent] of content.extends.entries()) {
    const pointer = from === '' ? `/extends/${at}/standard` : from
    const { id, key, content: inherited } = await readParent(walk, parent, pointer)
    if (path.includes(id)) throw ruleInvalid(pointer, `The standards extend each other in a circle, by way of ${key}`)
    if (path.length > maxDepth || ++walk.seen > maxAncestors) {
      throw ruleInvalid(pointer, 'Too many standards on each other')
    }
    for (const [name, rule] of await collect(walk, inherited, [...path, id], pointer, false)) rules.set(name, rule)
  }
  overridden(rules, content, isOwn)
  for (const rule of content.rules) rules.set(rule.rule_id, rule)
  if (rules.size > maxRules) throw ruleInvalid(from || '/rules', `More than ${maxRules} rules with those inherited`)
  return rules
}

/**
 * @param id of the content's standard; '' for a new one
 * @param isNew whether the content is being written: then its overrides must name inherited rules
 * @returns own and inherited rules; a child's rule replaces a parent's with the same id
 * @throws rule_invalid for an unknown parent, a cycle, or too many standards or rules
 */
export const inheritRules = async (db: Db, workspaceId: string, id: string, content: StandardContent, isNew: boolean):
Promise<StandardRule[]> =>
  [...(await collect({ db, workspaceId, seen: 0 }, content, [id], '', isNew)).values()]

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
