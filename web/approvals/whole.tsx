import { useSignal } from '@preact/signals'
import { useAction } from '../api/action'
import { ProblemNotice } from '../parts/notice'
import { readApproval, type Approval } from './approval'

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
        Some texts are longer than a card can show. The exact arguments below are complete.
      </p>
    )
  }
  return (
    <>
      {problem && <ProblemNotice problem={problem} />}
      <p class='row tight small muted'>
        Some texts are cut.
        <button type='button' class='small' disabled={busy} onClick={() => { void run() }}>Show everything</button>
      </p>
    </>
  )
}
