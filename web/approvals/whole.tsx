import { useSignal } from '@preact/signals'
import { useAction } from '../api/action'
import { ProblemNotice } from '../parts/notice'
import { readApproval, type Approval } from './approval'
import { say } from '../texts/say'

interface Props { approval: Approval, onWhole: (approval: Approval) => void }

/** Reads the whole of an approval that the stream had to cut. */
export const Whole = ({ approval, onWhole }: Props) => {
  const whole = useSignal('')
  const { run, busy, problem } = useAction(async () => {
    const read = await readApproval(approval.id)
    whole.value = approval.id
    onWhole(read)
  })
  if (!approval.preview.some(({ truncated }) => truncated)) return null
  if (whole.value === approval.id) {
    return (
      <p class='small muted' role='status'>
        {say('approval.long')}
      </p>
    )
  }
  return (
    <>
      {problem && <ProblemNotice problem={problem} />}
      <p class='row tight small muted'>
        {say('approval.cut')}
        <button type='button' class='small' disabled={busy} onClick={() => { void run() }}>
          {say('approval.whole')}
        </button>
      </p>
    </>
  )
}
