/** Where the focus may stay when what had it is gone: what is around it, which a screen reader then names. */
const homes = 'section, article, fieldset, .page-head, dialog[open], main'

/** Components put the focus where they want it within this time. */
const settleMs = 60
/** What is disabled for longer does more than work: a form that was sent and is empty has nothing to send. */
const longestWorkMs = 1_000

interface Held { element: Element, around: Element[] }

const ancestorsOf = (element: Element): Element[] =>
  element.parentElement ? [element.parentElement, ...ancestorsOf(element.parentElement)] : []

const settleIn = (around: readonly Element[]) => {
  const home = around.find((each) => each.isConnected && each.matches(homes))
  if (!(home instanceof HTMLElement)) return
  if (!home.hasAttribute('tabindex')) {
    home.tabIndex = -1
    home.addEventListener('blur', () => home.removeAttribute('tabindex'), { once: true })
  }
  home.focus({ preventScroll: true })
}

/**
 * Keeps the focus: a browser leaves it nowhere when what had it is gone or disabled, and who works by keyboard or
 * screen reader would begin again. A button that works comes back to it; of what is gone, or disabled for long, the
 * nearest that is left gets it.
 */
export const keepFocus = () => {
  let held: Held | undefined
  let wasDisabled = false
  let [timer, waiting]: (ReturnType<typeof setTimeout> | undefined)[] = []
  const look = (isLast = false) => {
    if (isLast) waiting = undefined
    if (!held || document.activeElement !== document.body) return
    const { element, around } = held
    const isDisabled = element.matches(':disabled')
    if (!element.isConnected || (isDisabled && isLast)) settleIn(around)
    else if (wasDisabled && !isDisabled && element instanceof HTMLElement) element.focus({ preventScroll: true })
  }
  const onChange = new MutationObserver(() => {
    if (!held) return
    // The browser takes the focus from it only when it draws next.
    if (held.element.matches(':disabled')) {
      wasDisabled = true
      waiting ??= setTimeout(() => look(true), longestWorkMs)
    }
    if (document.activeElement !== document.body) return
    clearTimeout(timer)
    timer = setTimeout(() => look(), settleMs)
  })
  const onFocus = ({ target }: FocusEvent) => {
    if (!(target instanceof Element)) return
    held = { element: target, around: ancestorsOf(target) }
    wasDisabled = false
    clearTimeout(waiting)
    waiting = undefined
  }
  const stop = new AbortController()
  onChange.observe(document.body, { childList: true, subtree: true, attributeFilter: ['disabled'] })
  addEventListener('focusin', onFocus, { signal: stop.signal })
  // Who clicks beside everything wants it nowhere.
  addEventListener('pointerdown', () => { held = undefined }, { capture: true, signal: stop.signal })
  return () => {
    clearTimeout(timer)
    clearTimeout(waiting)
    onChange.disconnect()
    stop.abort()
  }
}
