import { deleteStyle, listStyles, saveStyle, type StyleRow } from '../../../../db/content/brands.js'
import type { Db } from '../../../../db/index.js'
import { lockProject } from '../../../../lib/account/projects.js'
import type { Principal } from '../../../../lib/security/principal.js'
import type { PutStyle } from 'steward-prose-engine/schemas'
import type { BrandStyleRules } from '../../../../schemas/content/brands.js'
import { NotFound } from '../../../../schemas/errors.js'
import { InvalidStyle, TooManyStyles, requireOpenProject, requireProject, invalid } from '../errors.js'
import { readText } from '../text/read-text.js'

/** Each check runs every rule of every style. */
const maxStyles = 10
const maxRules = 600

const describe = ({ name, hash, rules, refused, updated_by, updated_at }: StyleRow): BrandStyleRules => ({
  name,
  hash,
  rules: rules.map(({ name: rule, kind, level, message }) =>
    ({ rule_id: `VALE-${name}.${rule}`, kind, severity: level, message })),
  refused,
  updated_by,
  updated_at: updated_at.toISOString()
})

/** @throws not_found for a project that is not the workspace's */
export const readStyles = async (db: Db, workspaceId: string, projectId: string): Promise<BrandStyleRules[]> => {
  await requireProject(db, workspaceId, projectId)
  return (await listStyles(db, workspaceId, projectId)).map(describe)
}

const requireOne = ({ files, zip_base64: zip }: PutStyle): void => {
  if ((files === undefined) === (zip === undefined)) {
    throw invalid('/files', 'one',
      'or zip_base64 is needed, one of them')
  }
}

/** @throws invalid_style, which names file and line */
const readRules = async (input: PutStyle) => {
  const { broken, ...read } = await readText('readStyle', input)
  const [first] = broken
  if (!first) return read
  const where = first.file === '' ? 'The package' : first.line === 0 ? first.file : `${first.file}, line ${first.line}:`
  throw InvalidStyle(`${where} ${first.message}`, { broken: broken.slice(0, 50) })
}

const requireRoom = (known: readonly StyleRow[], name: string, rules: number): void => {
  const others = known.filter((one) => one.name !== name)
  if (others.length >= maxStyles) throw TooManyStyles(`The brand has ${maxStyles} styles`)
  const all = others.reduce((sum, one) => sum + one.rules.length, rules)
  if (all > maxRules) throw TooManyStyles(`That would be ${all} rules; ${maxRules} at most`)
}

/**
 * Reads the rules of a Vale style into a brand, in place of the style of that name.
 * @throws not_found, project_archived, invalid_style, too_many_styles, text_too_complex, overloaded
 */
export const putStyle = async (db: Db, principal: Principal, projectId: string, name: string, input: PutStyle):
Promise<{ style: BrandStyleRules, created: boolean }> => {
  const { workspace_id: workspaceId, user_id: userId } = principal
  requireOne(input)
  await requireOpenProject(db, workspaceId, projectId)
  const read = await readRules(input)
  return db.transaction().execute(async (trx) => {
    await lockProject(trx, workspaceId, projectId)
    const known = await listStyles(trx, workspaceId, projectId)
    requireRoom(known, name, read.rules.length)
    await saveStyle(trx, workspaceId, projectId, userId, { name, ...read })
    const style = (await listStyles(trx, workspaceId, projectId)).find((one) => one.name === name)
    if (!style) throw NotFound()
    return { style: describe(style), created: !known.some((one) => one.name === name) }
  })
}

/** @throws not_found, project_archived */
export const removeStyle = async (db: Db, { workspace_id: workspaceId }: Principal, projectId: string, name: string):
Promise<void> => {
  await requireOpenProject(db, workspaceId, projectId)
  if (!await deleteStyle(db, workspaceId, projectId, name)) throw NotFound()
}
