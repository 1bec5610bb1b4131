import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'

interface Props { title: string, onClose: () => void, children: ComponentChildren }

/** A modal dialog of the platform: it keeps the focus, closes with Escape and gives the focus back. */
export const Dialog = ({ title, onClose, children }: Props) => {
  const element = useRef<HTMLDialogElement>(null)
  // Before anything is painted: a key that is pressed next already goes into the dialog.
  useLayoutEffect(() => {
    const { current: dialog } = element
    dialog?.showModal()
    // Closed before it goes away: while it is open, what lies behind it takes no focus.
    return () => dialog?.close()
  }, [])
  // Told a little later, also when the dialog has gone by then.
  const onClosed = () => { if (element.current) onClose() }
  const onBackdrop = (event: MouseEvent) => { if (event.target === element.current) onClose() }
  return (
    <dialog ref={element} aria-label={title} onClose={onClosed} onClick={onBackdrop}>
      <div class='content'>
        <h2>{title}</h2>
        {children}
      </div>
    </dialog>
  )
}
