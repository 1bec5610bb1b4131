import type { Schemas } from '../../api/client'

type Content = Schemas['Content']

/** Unsaved text survives a closed tab. The revision says of what it was: another may have saved since. */
const keyOf = ({ id }: Content): string => `steward-content-${id}`

interface Kept { revision: number, content: Content }

const isKept = (value: unknown): value is Kept =>
  typeof value === 'object' && value !== null && 'revision' in value && 'content' in value

/** @returns what was typed and not saved; undefined where there is nothing, or nothing that can be read */
export const readKept = (content: Content): Kept | undefined => {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(keyOf(content)) ?? 'null')
    return isKept(kept) ? kept : undefined
  } catch {
    return undefined
  }
}

export const forget = (content: Content): void => localStorage.removeItem(keyOf(content))

/** A full store keeps nothing more; the page asks before it is left, all the same. */
export const keep = (content: Content, edited: Content): void => {
  try {
    localStorage.setItem(keyOf(content), JSON.stringify({ revision: content.revision, content: edited }))
  } catch {
    forget(content)
  }
}
