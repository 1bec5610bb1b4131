import type { ComponentChildren } from 'preact'
import { useAction } from '../api/action'
import { Dialog } from './dialog'
import { Form } from './form'
import { ProblemNotice } from './notice'

interface Props {
  title: string
  verb: string
  act: () => Promise<unknown>
  /** After it worked, and when it is given up. */
  onClose: () => void
  ready?: boolean
  children: ComponentChildren
}

/** A dialog that asks for something and sends it; it stays, with what was typed, when that fails. */
export const FormDialog = ({ title, verb, act, onClose, ready = true, children }: Props) => {
  const { run, busy, problem } = useAction(act)
  const submit = async () => { if (await run()) onClose() }
  return (
    <Dialog title={title} onClose={onClose}>
      <Form onSubmit={() => { void submit() }}>
        {children}
        {problem && <ProblemNotice problem={problem} />}
        <div class='actions'>
          <button type='button' onClick={onClose}>Cancel</button>
          <button class='primary' disabled={busy || !ready}>{verb}</button>
        </div>
      </Form>
    </Dialog>
  )
}
