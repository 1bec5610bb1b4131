import type { RefObject } from 'preact'
import { useEffect } from 'preact/hooks'
import { isTyping } from '../parts/typing'
import { pressShortcut } from './shortcuts'

/** What was on the screen for so long can have been read. */
const readMs = 600

/** A card is in view where its buttons are: a click needs no more. */
const isInView = (card: Element): boolean => {
  const button = card.querySelector('[aria-keyshortcuts]')
  if (!button) return false
  const { top, bottom } = button.getBoundingClientRect()
  return top >= 0 && bottom <= innerHeight
}

/** Whether the key can mean the card alone: nothing else has the focus that takes letters, and no other card is in view. */
const isMeant = (card: HTMLElement, event: KeyboardEvent): boolean => {
  const { target } = event
  if (event.defaultPrevented || isTyping(event) || !(target instanceof HTMLElement)) return false
  if (target.isContentEditable || target.closest('.approval, [role="listbox"], [role="menu"]')) return false
  const dialog = document.querySelector('dialog[open]')
  if (dialog && !dialog.contains(card)) return false
  const inView = [...document.querySelectorAll('.approval.pending')].filter(isInView)
  return inView.length === 1 && inView[0] === card
}

/** The letters of a card work where it is the only one in view, without a focus in it. */
export const useKeysInView = (element: RefObject<HTMLElement>, id: string, isPending: boolean): void => useEffect(() => {
  if (!isPending) return
  const since = performance.now()
  const onKeyDown = (event: KeyboardEvent) => {
    const { current: card } = element
    if (card && performance.now() - since > readMs && event.key !== 'Escape' && isMeant(card, event)) {
      pressShortcut(card, event)
    }
  }
  document.addEventListener('keydown', onKeyDown)
  return () => document.removeEventListener('keydown', onKeyDown)
}, [id, isPending])
