import { isDeepStrictEqual } from 'node:util'
import type { StandardRule } from 'steward-spec-engine/schemas'
import { compilePattern, termsIn } from 'steward-spec-engine/checks'
import type { Db } from '../../../../db/index.js'
import {
  insertStandard, isDuplicateKey, lockStandards, updateStandard, type StandardRow
} from '../../../../db/pse/standards.js'
import { hasRole, type Principal } from '../../../../lib/security/principal.js'
import { ApiError, InsufficientRole, InvalidRequest, NotFound, type FieldError } from '../../../../schemas/errors.js'
import {
  isStandardKey, type CreateStandard, type PutStandard, type Standard, type StandardContent
} from '../../../../schemas/pse/standards.js'
import { explainMiss } from '../../../../schemas/revisions.js'
import { messageOf } from '../../../../schemas/unknown.js'
import { builtins, isBuiltin } from './builtin.js'
import {
  describeStandard, BuiltinStandard, KeyTaken, ReadOnlyField, RuleInvalid, StandardArchived, StandardIdConflict,
  findAny, findAnyVersion, inheritRules
} from './resolve-standards.js'

const wrong = (pointer: string, message: string): FieldError => ({ pointer, code: 'rule_invalid', message })

const patternsOf = ({ check }: StandardRule): [string, string, boolean | undefined][] => {
  switch (check.fn) {
    case 'pattern':
    case 'forbid':
      return check.options.patterns.map((one, at) => [`patterns/${at}`, one, check.options.ignore_case])
    case 'occurrence': return [['pattern', check.options.pattern, check.options.ignore_case]]
    default: return []
  }
}

const badPatterns = (rule: StandardRule, at: number): FieldError[] =>
  patternsOf(rule).flatMap(([option, pattern, ignoreCase]) => {
    try {
      compilePattern(pattern, ignoreCase)
      return []
    } catch (error) {
      return [wrong(`/rules/${at}/check/options/${option}`, messageOf(error))]
    }
  })

/** Functions that work only on some targets. */
const needs: Partial<Record<StandardRule['check']['fn'], RegExp>> = {
  ears: /^requirements/,
  has_acceptance: /^(?:requirements|stories)/,
  has_citation: /^(?:requirements|stories)/,
  has_verification: /^requirements/,
  links_to: /^(?:requirements|stories|tasks)/,
  enum: /^(?:requirements|stories|tasks|acceptance)/,
  schema: /^(?:requirements|stories|tasks|acceptance|document)/
}

const badTarget = ({ check, target }: StandardRule, at: number): FieldError[] =>
  needs[check.fn]?.test(target) === false ? [wrong(`/rules/${at}/target`, `${check.fn} cannot look at ${target}`)] : []

const badLimits = ({ check }: StandardRule, at: number): FieldError[] => {
  if (check.fn !== 'length' && check.fn !== 'occurrence') return []
  const { min, max } = check.options
  if (min === undefined && max === undefined) return [wrong(`/rules/${at}/check/options`, 'Give min or max, or both')]
  return min !== undefined && max !== undefined && min > max
    ? [wrong(`/rules/${at}/check/options/min`, 'min is more than max')]
    : []
}

/** A review rule is at most a warning. */
const badSeverity = ({ check, severity }: StandardRule, at: number): FieldError[] =>
  check.fn === 'review' && severity === 'error'
    ? [wrong(`/rules/${at}/severity`, 'A review is an opinion: it is a warning at most')]
    : []

const repeated = (rules: readonly StandardRule[]): FieldError[] => {
  const seen = new Set<string>()
  return rules.flatMap(({ rule_id: id }, at) =>
    seen.size === seen.add(id).size ? [wrong(`/rules/${at}/rule_id`, 'Another rule has this id')] : [])
}

/** @returns errors of the rules or the terms that their schema cannot express */
export const findWrongRules = (content: StandardContent): FieldError[] =>
  [...badGlossary(content), ...badRules(content)]

/** Rejects a glossary without any term that the checks can read. */
const badGlossary = ({ kind, body_markdown: body }: StandardContent): FieldError[] =>
  kind === 'glossary' && body.trim() !== '' && termsIn(body).length === 0
    ? [wrong('/body_markdown', 'It has no term: write one to a line, as in "- Locker (not: box): what it means"')]
    : []

const badRules = ({ rules }: StandardContent): FieldError[] => [
  ...repeated(rules),
  ...rules.flatMap((rule, at) => [...badPatterns(rule, at), ...badTarget(rule, at), ...badLimits(rule, at),
    ...badSeverity(rule, at)])
]

/** Only an admin may write a standard of the whole workspace. */
const requireRight = (principal: Principal, ...scopes: StandardContent['scope'][]): void => {
  if (scopes.some(({ project_ids: ids }) => ids.length === 0) && !hasRole(principal, 'admin')) {
    throw InsufficientRole('A standard of the whole workspace needs the role admin', { role: 'admin' })
  }
}

/** @throws rule_invalid, with a pointer for each error */
const requireValid = async (db: Db, workspaceId: string, id: string, content: StandardContent): Promise<void> => {
  const errors = findWrongRules(content)
  if (errors.length > 0) throw RuleInvalid(errors[0]?.message, { errors })
  await inheritRules(db, workspaceId, id, content, true)
}

const readVersion = async (db: Db, workspaceId: string, row: StandardRow, version = row.version): Promise<Standard> => {
  const found = await findAnyVersion(db, workspaceId, row.id, version)
  if (!found) throw NotFound()
  return describeStandard(row, found)
}

/** @param name an id or a key @throws not_found */
export const readStandard = async (db: Db, workspaceId: string, name: string, version?: number): Promise<Standard> => {
  const row = await findAny(db, workspaceId, name)
  if (!row) throw NotFound()
  return readVersion(db, workspaceId, row, version)
}

const contentOf = (body: StandardContent | PutStandard): StandardContent => {
  const { title, description, kind, tags, scope, body_markdown, rules, extends: parents, overrides } = body
  return { title, description, kind, tags, scope, body_markdown, rules, extends: parents, overrides }
}

const requiredError = (name: string): FieldError => ({ pointer: `/${name}`, code: 'required', message: 'is needed' })

const requireWhole = (body: CreateStandard): StandardContent => {
  const { title, kind } = body
  if (title !== undefined && kind !== undefined) return contentOf({ ...body, title, kind })
  const errors = (['title', 'kind'] as const).filter((name) => body[name] === undefined).map(requiredError)
  throw InvalidRequest(`${errors[0]?.pointer} is needed where nothing is cloned`, { errors })
}

/** @returns an error for each field that a clone takes from the original */
const own = (body: CreateStandard): FieldError[] => {
  const isSet = (value: unknown) => Array.isArray(value) ? value.length > 0 : value !== undefined && value !== ''
  return (['kind', 'description', 'tags', 'body_markdown', 'rules', 'extends', 'overrides'] as const)
    .filter((name) => isSet(body[name]))
    .map((name) => ({ pointer: `/${name}`, code: 'exclusive', message: 'is the original\'s in a clone' }))
}

/** @throws invalid_request, not_found for the standard to clone */
const contentToCreate = async (db: Db, workspaceId: string, body: CreateStandard): Promise<StandardContent> => {
  const { clone_of: name, title, scope } = body
  if (name === undefined) return requireWhole(body)
  const errors = own(body)
  if (errors.length > 0) throw InvalidRequest(`${errors[0]?.pointer} ${errors[0]?.message}`, { errors })
  const row = await findAny(db, workspaceId, name)
  const found = row && await findAnyVersion(db, workspaceId, row.id, row.version)
  if (!found) throw NotFound(`There is no standard ${name} to clone`)
  const hasScope = scope.project_ids.length > 0 || scope.spec_types.length > 0
  return { ...found.content, ...(title !== undefined && { title }), ...(hasScope && { scope }) }
}

const slug = (title: string): string => {
  const words = title.normalize('NFKD').toLowerCase().replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '').slice(0, 60)
  return words.length > 1 ? words.replace(/-$/, '') : `standard-${words}`.replace(/-$/, '')
}

/** @throws key_taken, rule_invalid, insufficient_role, invalid_request, not_found */
export const createStandard = async (db: Db, principal: Principal, body: CreateStandard): Promise<Standard> => {
  const { workspace_id: workspaceId, user_id: userId } = principal
  const content = await contentToCreate(db, workspaceId, body)
  requireRight(principal, content.scope)
  const key = body.key ?? slug(content.title)
  if (builtins.some(({ row }) => row.key === key)) throw KeyTaken()
  try {
    return await db.transaction().execute(async (trx) => {
      await lockStandards(trx, workspaceId)
      await requireValid(trx, workspaceId, '', content)
      const id = await insertStandard(trx, workspaceId, userId, key, content)
      return readStandard(trx, workspaceId, id)
    })
  } catch (error) {
    throw isDuplicateKey(error) ? KeyTaken() : error
  }
}

const readOnly = ['key', 'version', 'revision', 'source', 'created_by', 'created_at', 'updated_at'] as const

const readOnlyField = (names: readonly string[]) => ReadOnlyField(undefined, {
  errors: names.map((name) => ({ pointer: `/${name}`, code: 'read_only_field', message: 'cannot be changed' }))
})

/** Read-only fields may be sent back unchanged. @throws read_only_field, standard_id_conflict */
const requireUnchanged = (body: PutStandard, before: Standard): void => {
  if (body.standard_id !== undefined && body.standard_id !== before.standard_id) throw StandardIdConflict()
  const comparable = (value: unknown) => value instanceof Date ? value.toISOString() : value
  const changed = readOnly
    .filter((name) => body[name] !== undefined && comparable(body[name]) !== comparable(before[name]))
  if (changed.length > 0) throw readOnlyField(changed)
}

/**
 * Replaces a standard's content, which makes a version unless the content is the same.
 * @throws not_found, stale_revision, read_only_field, standard_archived, rule_invalid, insufficient_role,
 *   builtin_standard
 */
export const replaceStandard = (db: Db, principal: Principal, name: string, body: PutStandard, revisions?: number[]):
Promise<Standard> => db.transaction().execute(async (trx) => {
  const { workspace_id: workspaceId, user_id: userId } = principal
  await lockStandards(trx, workspaceId)
  const row = await findAny(trx, workspaceId, name)
  if (!row || (revisions && !revisions.includes(row.revision))) throw explainMiss(row)
  if (isBuiltin(row.id)) throw BuiltinStandard()
  const before = await readVersion(trx, workspaceId, row)
  requireUnchanged(body, before)
  const content = contentOf(body)
  requireRight(principal, content.scope, before.scope)
  if (row.status === 'archived' && body.status !== 'active') throw StandardArchived()
  const status = body.status ?? row.status
  const isSame = isDeepStrictEqual(content, contentOf(before))
  if (isSame && status === row.status) return before
  await requireValid(trx, workspaceId, row.id, content)
  const version = isSame ? row.version : row.version + 1
  await updateStandard(trx, workspaceId, userId, row.id, { status, version, content: isSame ? undefined : content })
    .catch((error: unknown) => { throw isDuplicateKey(error) ? KeyTaken() : error })
  return readStandard(trx, workspaceId, row.id)
})

/** @throws read_only_field for fields that only the server sets on a new standard */
const requireNew = (name: string, { key, status, ...body }: PutStandard): void => {
  const present = ['standard_id', ...readOnly].filter((field) => field in body)
  const names = [...present, ...(key === undefined || key === name ? [] : ['key']),
    ...(status === 'deprecated' ? ['status'] : [])]
  if (names.length > 0) throw readOnlyField(names)
}

/**
 * Creates the standard with this key, unless one in use has it.
 * @throws not_found for a name that cannot be a key, stale_revision if it exists, read_only_field, rule_invalid
 */
export const createNamedStandard = async (db: Db, principal: Principal, name: string, body: PutStandard):
Promise<Standard> => {
  const find = () => findAny(db, principal.workspace_id, name)
  const found = await find()
  if (found ? found.status !== 'archived' : !isStandardKey(name)) throw explainMiss(found)
  if (found?.id === name) throw StandardArchived()
  requireNew(name, body)
  try {
    return await createStandard(db, principal, { ...contentOf(body), key: name })
  } catch (error) {
    throw error instanceof ApiError && error.code === KeyTaken.code ? explainMiss(await find()) : error
  }
}

/**
 * Archives a standard; specs that pin a version keep it. Archiving again changes nothing.
 * @throws not_found, stale_revision, builtin_standard
 */
export const archiveStandard = (db: Db, principal: Principal, name: string, revisions?: number[]): Promise<void> =>
  db.transaction().execute(async (trx) => {
    const { workspace_id: workspaceId, user_id: userId } = principal
    await lockStandards(trx, workspaceId)
    const row = await findAny(trx, workspaceId, name)
    const isStale = row?.status !== 'archived' && revisions && !revisions.includes(row?.revision ?? 0)
    if (!row || isStale) throw explainMiss(row)
    if (isBuiltin(row.id)) throw BuiltinStandard()
    if (row.status === 'archived') return
    await updateStandard(trx, workspaceId, userId, row.id, { status: 'archived', version: row.version })
  })
