import { useEffect, useRef } from 'preact/hooks'

interface Typed {
  /** The beginning of the addresses that keep what was typed, such as the other tabs of the form. */
  within: string | undefined
}

/** The forms with text that is typed and not saved. */
export const unsaved = new Set<Typed>()

addEventListener('beforeunload', (event) => { if (unsaved.size > 0) event.preventDefault() })

/** @returns marks the form as typed in, or as saved; leaving it asks first while it is typed in */
export const useUnsaved = (within?: string) => {
  const own = useRef<Typed>({ within })
  useEffect(() => () => { unsaved.delete(own.current) }, [])
  return (isTyped: boolean): void => {
    if (isTyped) unsaved.add(own.current)
    else unsaved.delete(own.current)
  }
}

/** Marks the form around a button as changed: the button changed what it will save. */
export const markChanged = (button: EventTarget | null): void => {
  button?.dispatchEvent(new Event('input', { bubbles: true }))
}
