import type { ComponentChildren } from 'preact'
import { useAction } from '../api/action'
import { Dialog } from './dialog'
import { Form } from './form'
import { ProblemNotice } from './notice'

interface Props {
  title: string
  verb: string
  act: () => Promise<unknown>
  /** Called after success, and when the person cancels. */
  onClose: () => void
  ready?: boolean
  children: ComponentChildren
}

/** A dialog with a form. After a failure it stays open with the typed values. */
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
