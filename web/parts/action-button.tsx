import type { ComponentChildren } from 'preact'
import { useAction } from '../api/action'
import { ProblemNotice } from './notice'

interface Props {
  act: () => Promise<unknown>
  /** CSS classes: `primary`, `danger`, `small` … */
  variant?: string
  disabled?: boolean
  label?: string
  /** Of a switch. */
  pressed?: boolean
  children: ComponentChildren
}

/** A button that acts without a dialog, and shows a problem before itself. */
export const ActionButton = ({ act, variant, disabled = false, label, pressed, children }: Props) => {
  const { run, busy, problem } = useAction(act)
  return (
    <>
      {problem && <ProblemNotice problem={problem} />}
      <button
        type='button' class={variant} disabled={busy || disabled} aria-label={label} title={label}
        aria-pressed={pressed}
        onClick={() => { void run() }}
      >{children}
      </button>
    </>
  )
}
