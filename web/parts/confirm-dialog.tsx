import type { ComponentChildren } from 'preact'
import { useAction } from '../api/action'
import { Dialog } from './dialog'
import { ProblemNotice } from './notice'
import { say } from '../texts/say'

interface Props {
  title: string
  verb: string
  act: () => Promise<unknown>
  onClose: () => void
  children: ComponentChildren
}

/** Asks for confirmation before an action that cannot be undone. */
export const ConfirmDialog = ({ title, verb, act, onClose, children }: Props) => {
  const { run, busy, problem } = useAction(act)
  const go = async () => { if (await run()) onClose() }
  return (
    <Dialog title={title} onClose={onClose}>
      <div>{children}</div>
      {problem && <ProblemNotice problem={problem} />}
      <div class='actions'>
        <button type='button' onClick={onClose}>{say('common.cancel')}</button>
        <button type='button' class='danger' disabled={busy} onClick={() => { void go() }}>{verb}</button>
      </div>
    </Dialog>
  )
}
