import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { unsaved } from './unsaved'

interface Props { title: string, onClose: () => void, children: ComponentChildren }

/** A modal dialog of the platform: it keeps the focus, closes with Escape and returns the focus. */
export const Dialog = ({ title, onClose, children }: Props) => {
  const element = useRef<HTMLDialogElement>(null)
  // Opens before the browser paints: the next key press already goes into the dialog.
  useLayoutEffect(() => {
    const { current: dialog } = element
    dialog?.showModal()
    // Closes before it is removed: nothing behind an open dialog can take the focus.
    return () => dialog?.close()
  }, [])
  // Escape: the dialog would close now, and be removed after the close event. A key that is pressed in between asks for
  // it again, and would get one that is closed.
  const onCancel = (event: Event) => {
    // Also a file input sends this event.
    if (event.target !== element.current) return
    event.preventDefault()
    onClose()
  }
  // The event comes later, even after the dialog was removed.
  const onClosed = () => { if (element.current) onClose() }
  // A click beside it is often an accident, and takes away nothing that was typed.
  const onBackdrop = (event: MouseEvent) => {
    if (event.target === element.current && unsaved.size === 0) onClose()
  }
  return (
    <dialog ref={element} aria-label={title} onCancel={onCancel} onClose={onClosed} onClick={onBackdrop}>
      <div class='content'>
        <h2>{title}</h2>
        {children}
      </div>
    </dialog>
  )
}
