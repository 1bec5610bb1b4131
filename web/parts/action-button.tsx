import type { ComponentChildren } from 'preact'
import { useAction } from '../api/action'
import { ProblemNotice } from './notice'

interface Props {
  act: () => Promise<unknown>
  /** How it looks: `primary`, `danger`, `small` … */
  look?: string
  disabled?: boolean
  label?: string
  children: ComponentChildren
}

/** Does one thing at once; what went wrong is told before it. */
export const ActionButton = ({ act, look, disabled = false, label, children }: Props) => {
  const { run, busy, problem } = useAction(act)
  return (
    <>
      {problem && <ProblemNotice problem={problem} />}
      <button type='button' class={look} disabled={busy || disabled} aria-label={label} onClick={() => { void run() }}>
        {children}
      </button>
    </>
  )
}
