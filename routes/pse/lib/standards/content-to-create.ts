import type { Db } from '../../../../db/index.js'
import { InvalidRequest, NotFound, type FieldError } from '../../../../schemas/errors.js'
import type { CreateStandard, PutStandard, StandardContent } from '../../../../schemas/pse/standards.js'
import { findAny, findAnyVersion } from './find-standard.js'

export const contentOf = (body: StandardContent | PutStandard): StandardContent => {
  const { title, description, kind, tags, scope, body_markdown, rules, extends: parents, overrides } = body
  return { title, description, kind, tags, scope, body_markdown, rules, extends: parents, overrides }
}

const needed = (name: string): FieldError => ({ pointer: `/${name}`, code: 'required', message: 'is needed' })

const requireWhole = (body: CreateStandard): StandardContent => {
  const { title, kind } = body
  if (title !== undefined && kind !== undefined) return contentOf({ ...body, title, kind })
  const errors = [...(title === undefined ? [needed('title')] : []), ...(kind === undefined ? [needed('kind')] : [])]
  throw InvalidRequest(`${errors[0]?.pointer} is needed where nothing is cloned`, { errors })
}

/** What a clone may say of itself; all else is the original's, and changed by a PUT. */
const own = (body: CreateStandard): FieldError[] => {
  const isSet = (value: unknown) => Array.isArray(value) ? value.length > 0 : value !== undefined && value !== ''
  return (['kind', 'description', 'tags', 'body_markdown', 'rules', 'extends', 'overrides'] as const)
    .filter((name) => isSet(body[name]))
    .map((name) => ({ pointer: `/${name}`, code: 'exclusive', message: 'is the original\'s in a clone' }))
}

/** @throws invalid_request, not_found: the one to clone */
export const contentToCreate = async (db: Db, workspaceId: string, body: CreateStandard): Promise<StandardContent> => {
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
