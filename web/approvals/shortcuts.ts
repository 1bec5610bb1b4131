import { isTyping } from '../parts/typing'

/** Single letters work only while the focus is in the card.
 * A approves, R rejects, E edits, C and W open words. */
const letters = new Set(['a', 'r', 'e', 'c', 'w'])

/** Escape leaves the edit, or the words, and not the dialog around the card. What was typed there stays. */
const leave = (card: HTMLElement | null, event: KeyboardEvent): void => {
  const back = card?.querySelector<HTMLButtonElement>('[data-leave]')
  if (!back || event.isComposing) return
  event.preventDefault()
  event.stopPropagation()
  back.click()
}

/** Presses the card's button with the letter that was typed. */
export const pressShortcut = (card: HTMLElement | null, event: KeyboardEvent): void => {
  if (event.key === 'Escape') {
    leave(card, event)
    return
  }
  const key = event.key.toLowerCase()
  if (!letters.has(key) || isTyping(event) || event.ctrlKey || event.metaKey || event.altKey) return
  event.preventDefault()
  card?.querySelector<HTMLButtonElement>(`[aria-keyshortcuts="${key}"]`)?.click()
}

/** Keeps the focus in the card when the next render removes or disables the element that has it. */
export const keepFocusIn = (card: HTMLElement | null): void => {
  requestAnimationFrame(() => setTimeout(() => {
    // The card itself has it when a letter opened what is typed in.
    const free: (Element | null)[] = [document.body, null, card]
    if (!free.includes(document.activeElement)) return
    const typed = ':is(.approval-edit, .approval-words) :is(input, textarea)'
    const target = card?.querySelector<HTMLElement>(typed) ?? card
    target?.focus()
  }))
}
