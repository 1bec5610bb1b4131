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
  /** Called before onClose when the person gives up what was typed. */
  onDiscard?: () => void
  ready?: boolean
  /** The pointers of fields that show the server's errors themselves. */
  shows?: readonly string[]
  /** The code of a problem that the form describes itself. */
  describes?: string
  children: ComponentChildren
}

/** A dialog with a form. After a failure it stays open with the typed values. */
export const FormDialog = (props: Props) => {
  const { title, verb, act, onClose, onDiscard, ready = true, shows = [], describes, children } = props
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
    <Dialog title={title} onClose={onClose} onDiscard={onDiscard}>
      <Form onSubmit={submit}>
        <FormProblem.Provider value={problem}>{children}</FormProblem.Provider>
        {problem && problem.code !== describes && <ProblemNotice problem={problem} shown={shows} />}
        <div class='actions'>
          <CancelButton>{say('proposal.cancel')}</CancelButton>
          <button class='primary' disabled={busy || !ready}>{verb}</button>
        </div>
      </Form>
    </Dialog>
  )
}
