import type { Schemas } from '../../api/client'
import * as kept from '../../parts/kept'

type Content = Schemas['Content']

/** Unsaved text survives a closed tab. The revision says of what it was: another may have saved since. */
const keyOf = ({ id }: Content): string => `steward-content-${id}`

interface Kept { revision: number, content: Content }

const isKept = (value: unknown): value is Kept =>
  typeof value === 'object' && value !== null && 'revision' in value && 'content' in value

/** @returns what was typed and not saved; undefined where there is nothing, or nothing that can be read */
export const readKept = (content: Content): Kept | undefined => {
  const stored = kept.readStored(keyOf(content))
  return isKept(stored) ? stored : undefined
}

export const forget = (content: Content): void => kept.forget(keyOf(content))

export const keep = (content: Content, edited: Content): void =>
  kept.store(keyOf(content), { revision: content.revision, content: edited })
