import type { ComponentChildren } from 'preact'
import { useSignal } from '@preact/signals'
import { ProposalDialog } from './proposal'

interface Props {
  /** The operation, and all its inputs in one object. */
  name: string
  args: () => Record<string, unknown>
  /** Of the dialog; the button's label too, where its text is shorter. */
  title: string
  variant?: string
  onDone?: () => void
  children: ComponentChildren
}

/** A button whose change needs no further input: it shows what would change, and asks for approval. */
export const ProposalButton = ({ name, args, title, variant, onDone, children }: Props) => {
  const open = useSignal(false)
  return (
    <>
      <button type='button' class={variant} aria-label={title} onClick={() => { open.value = true }}>{children}</button>
      {open.value && <ProposalDialog
        title={title} name={name} args={args} {...(onDone && { onDone })} onClose={() => { open.value = false }}
      />}
    </>
  )
}
