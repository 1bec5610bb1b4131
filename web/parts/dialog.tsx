import { createContext, type ComponentChildren } from 'preact'
import { useContext, useLayoutEffect, useRef } from 'preact/hooks'
import { useSignal } from '@preact/signals'
import { say } from '../texts/say'
import { unsaved } from './unsaved'

interface Props {
  title: string
  onClose: () => void
  /** Called before onClose when the person gives up what was typed. */
  onDiscard?: (() => void) | undefined
  children: ComponentChildren
}

const Leaving = createContext<() => void>(() => {})

/** Closes the dialog around it as Escape does: it asks first where something was typed. */
export const CancelButton = ({ children }: { children: ComponentChildren }) => {
  const leave = useContext(Leaving)
  return <button type='button' onClick={leave}>{children}</button>
}

/** @returns whether a form in the dialog has text that is not saved; those behind it had theirs before */
const useTyped = (): (() => boolean) => {
  const behind = useRef(new Set(unsaved))
  return () => [...unsaved].some((form) => !behind.current.has(form))
}

interface AskProps { onKeep: () => void, onDiscard: () => void }

/** Asks in the dialog itself, whose text stays in sight. */
const AskBeforeLoss = ({ onKeep, onDiscard }: AskProps) => {
  const keep = useRef<HTMLButtonElement>(null)
  const asked = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const { activeElement: typing } = document
    keep.current?.focus()
    asked.current?.scrollIntoView({ block: 'nearest' })
    // Back to where it was typed, once that may have the focus again.
    return () => { queueMicrotask(() => { if (typing instanceof HTMLElement) typing.focus() }) }
  }, [])
  return (
    <div ref={asked} class='ask' role='alertdialog' aria-label={say('discard.title')}>
      <p><strong>{say('discard.title')}</strong> {say('discard.words')}</p>
      <div class='actions'>
        <button type='button' class='danger' onClick={onDiscard}>{say('discard.go')}</button>
        <button ref={keep} type='button' class='primary' onClick={onKeep}>{say('discard.stay')}</button>
      </div>
    </div>
  )
}

/** @returns what closes the dialog unless something was typed; `asking` says that it asks now */
const useLeave = (onClose: () => void) => {
  const isTyped = useTyped()
  const asking = useSignal(false)
  const leave = () => {
    // Asked to close while it asks, it keeps the text.
    if (asking.value) asking.value = false
    else if (isTyped()) asking.value = true
    else onClose()
  }
  return { asking, isTyped, leave }
}

/**
 * A modal dialog of the platform: it keeps the focus, closes with Escape and returns the focus. It asks before it
 * discards what was typed in it.
 */
export const Dialog = ({ title, onClose, onDiscard, children }: Props) => {
  const element = useRef<HTMLDialogElement>(null)
  const { asking, isTyped, leave } = useLeave(onClose)
  // Opens before the browser paints: the next key press already goes into the dialog.
  useLayoutEffect(() => {
    const { current: dialog } = element
    dialog?.showModal()
    // Closes before it is removed: nothing behind an open dialog can take the focus.
    return () => dialog?.close()
  }, [])
  // Browsers close at the second Escape in a row, whatever a page does with the event `cancel`.
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.defaultPrevented || !isTyped()) return
    event.preventDefault()
    leave()
  }
  // Escape: the dialog would close now, and be removed after the close event. A key that is pressed in between asks for
  // it again, and would get one that is closed.
  const onCancel = (event: Event) => {
    // Also a file input sends this event.
    if (event.target !== element.current) return
    event.preventDefault()
    leave()
  }
  // The event comes later, even after the dialog was removed.
  const onClosed = () => {
    const { current: dialog } = element
    if (!dialog) return
    if (isTyped()) dialog.showModal()
    leave()
  }
  // A click beside it is often an accident, and takes away nothing that was typed.
  const onBackdrop = (event: MouseEvent) => {
    if (event.target === element.current && !isTyped()) onClose()
  }
  return (
    <dialog
      ref={element} aria-label={title} onKeyDown={onKeyDown} onCancel={onCancel} onClose={onClosed} onClick={onBackdrop}
    >
      <div class='content'>
        <h2>{title}</h2>
        <Leaving.Provider value={leave}>
          <div class='whole' inert={asking.value}>{children}</div>
        </Leaving.Provider>
        {asking.value && <AskBeforeLoss
          onKeep={leave} onDiscard={() => {
            onDiscard?.()
            onClose()
          }}
        />}
      </div>
    </dialog>
  )
}
