import slugify from '@sindresorhus/slugify'
import { isSlugTaken } from '../../../../db/content/contents.js'
import type { Db } from '../../../../db/index.js'
import type { Slot } from './check-content.js'

const maxLength = 96
const room = 4

/** @returns a slug of the title's words: latin letters, digits and hyphens */
export const slugOf = (title: string): string => {
  const slug = slugify(title, { decamelize: false }).slice(0, maxLength - room).replace(/(?<!-)-+$/, '')
  return slug === '' ? 'untitled' : slug
}

/** @returns the title's slug, with a number appended where it is taken */
export const freeSlug = async (db: Db, workspaceId: string, slot: Slot, title: string): Promise<string> => {
  const slug = slugOf(title)
  for (let number = 1; number < 100; number++) {
    const input = number === 1 ? slug : `${slug}-${number}`
    if (!await isSlugTaken(db, workspaceId, slot, input)) return input
  }
  return slug
}
