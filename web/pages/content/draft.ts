import type { Schemas } from '../../api/client'
import * as kept from '../../parts/kept'

type Content = Schemas['Content']

/** Unsaved text survives a closed tab, and each editor keeps its own. */
const formOf = ({ id }: Content): string => `steward-content-${id}`

export interface Kept {
  key: string
  /** Of what it was: another may have saved since. */
  revision: number
  content: Content
  /** When it was last typed in, in ms. */
  at: number
}

const isKept = (value: unknown): value is Omit<Kept, 'key' | 'at'> =>
  typeof value === 'object' && value !== null && 'revision' in value && 'content' in value

/** @returns under which an editor keeps what is typed in it */
export const keyFor = (content: Content): string => kept.newKey(formOf(content))

/** @returns what was typed last in another editor and not saved; undefined where there is nothing */
export const readKept = (content: Content, own: string): Kept | undefined => kept.keysOf(formOf(content))
  .filter((key) => key !== own)
  .flatMap((key) => {
    const stored = kept.readStored(key)
    return isKept(stored) ? [{ at: 0, ...stored, key }] : []
  })
  .sort((one, other) => other.at - one.at)[0]

export const keep = (key: string, content: Content, edited: Content): void =>
  kept.store(key, { revision: content.revision, content: edited, at: Date.now() })
