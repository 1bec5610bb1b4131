import { useEffect } from 'preact/hooks'
import { useSignal, type Signal } from '@preact/signals'

export interface Picked { field: string, exact: string, start: number | undefined }

const elementOf = (node: Node): Element | null => node instanceof Element ? node : node.parentElement

/** @returns the selected words with their offset, if they are within one text of the record */
const readSelection = (): Picked | undefined => {
  const selection = document.getSelection()
  if (!selection || selection.rangeCount === 0 || selection.isCollapsed) return undefined
  const range = selection.getRangeAt(0)
  const holder = elementOf(range.commonAncestorContainer)?.closest<HTMLElement>('[data-field]')
  if (!holder) return undefined
  const before = document.createRange()
  before.selectNodeContents(holder)
  before.setEnd(range.startContainer, range.startOffset)
  return { field: holder.dataset.field ?? '', exact: range.toString(), start: before.toString().length }
}

/** The last words that were selected in a text of the record. */
export const useSelection = (): Signal<Picked | undefined> => {
  const picked = useSignal<Picked | undefined>(undefined)
  useEffect(() => {
    const follow = () => {
      const now = readSelection()
      if (now) picked.value = now
    }
    document.addEventListener('selectionchange', follow)
    return () => document.removeEventListener('selectionchange', follow)
  }, [])
  return picked
}
