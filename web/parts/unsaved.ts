import { useEffect, useRef } from 'preact/hooks'

/** The forms with text that is typed and not saved. */
export const unsaved = new Set<object>()

addEventListener('beforeunload', (event) => { if (unsaved.size > 0) event.preventDefault() })

/** @returns marks the form as typed in, or as saved; leaving it asks first while it is typed in */
export const useUnsaved = () => {
  const own = useRef({})
  useEffect(() => () => { unsaved.delete(own.current) }, [])
  return (isTyped: boolean): void => {
    if (isTyped) unsaved.add(own.current)
    else unsaved.delete(own.current)
  }
}
