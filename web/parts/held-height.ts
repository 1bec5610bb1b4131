let isPressed = false

addEventListener('pointerdown', () => { isPressed = true }, true)
for (const end of ['pointerup', 'pointercancel']) addEventListener(end, () => { isPressed = false }, true)

/**
 * Keeps the height of an element that is about to shrink because of a press elsewhere, until that is over: what is
 * pressed below it stays under the pointer, so the click reaches it.
 */
export const holdHeight = (element: HTMLElement): void => {
  if (!isPressed) return
  element.style.minHeight = `${element.offsetHeight}px`
  const release = () => setTimeout(() => { element.style.minHeight = '' })
  for (const end of ['pointerup', 'pointercancel']) addEventListener(end, release, { once: true })
}
