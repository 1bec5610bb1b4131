import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { useAction } from '../api/action'
import { CancelButton, Dialog } from './dialog'
import { FormProblem } from './field-problem'
import { Form } from './form'
import { ProblemNotice } from './notice'
import { say } from '../texts/say'

interface Props {
  title: string
  verb: string
  act: () => Promise<unknown>
  /** Called after success, and when the person cancels. */
  onClose: () => void
  ready?: boolean
  /** The pointers of fields that show the server's errors themselves. */
  shows?: readonly string[]
  children: ComponentChildren
}

/** A dialog with a form. After a failure it stays open with the typed values. */
export const FormDialog = ({ title, verb, act, onClose, ready = true, shows = [], children }: Props) => {
  const { run, busy, problem } = useAction(act)
  useEffect(() => {
    if (problem) document.querySelector<HTMLElement>('dialog[open] [aria-invalid="true"]')?.focus()
  }, [problem])
  const submit = async () => {
    const isDone = await run()
    if (isDone) onClose()
    return isDone
  }
  return (
    <Dialog title={title} onClose={onClose}>
      <Form onSubmit={submit}>
        <FormProblem.Provider value={problem}>{children}</FormProblem.Provider>
        {problem && <ProblemNotice problem={problem} shown={shows} />}
        <div class='actions'>
          <CancelButton>{say('proposal.cancel')}</CancelButton>
          <button class='primary' disabled={busy || !ready}>{verb}</button>
        </div>
      </Form>
    </Dialog>
  )
}
