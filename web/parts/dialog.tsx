import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'

interface Props { title: string, onClose: () => void, children: ComponentChildren }

/** A modal dialog of the platform: it keeps the focus, closes with Escape and gives the focus back. */
export const Dialog = ({ title, onClose, children }: Props) => {
  const element = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const held = document.activeElement
    element.current?.showModal()
    return () => { if (held instanceof HTMLElement) held.focus() }
  }, [])
  const onBackdrop = (event: MouseEvent) => { if (event.target === element.current) onClose() }
  return (
    <dialog ref={element} aria-label={title} onClose={onClose} onClick={onBackdrop}>
      <div class='content'>
        <h2>{title}</h2>
        {children}
      </div>
    </dialog>
  )
}
