import type { Db } from '../../../../db/index.js'
import type { FieldError } from '../../../../schemas/errors.js'
import type { StandardRule } from 'steward-spec-engine/schemas'
import type { StandardContent } from '../../../../schemas/pse/standards.js'
import { RuleInvalid } from './errors.js'
import { findAny, findAnyVersion } from './find-standard.js'

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
