import { Link } from 'wouter-preact'
import { useResource } from '../api/resource'
import { Notice } from '../parts/notice'
import type { Approval } from './approval'
import { planAddress, readPlan } from './steps'
import { say } from '../texts/say'

/** Says that several writes of a turn wait, and leads to them as one plan. */
export const PlanOffer = ({ id, count }: { id: string, count: number }) => <Notice
  action={<Link class='button small' href={planAddress(id)}>{say('plan.look')}</Link>}
>
  {say('plan.offer', { count })}
</Notice>

/** Of a question that was voted on as a step: it is decided with the others. */
export const StepNote = ({ of: { id, steps, status } }: { of: Approval }) => steps
  ? (
    <p class='small muted'>
      {say(status === 'pending' ? 'plan.stepPending' : 'plan.step', { step: steps.step, of: steps.of })}{' '}
      <Link href={planAddress(id)}>{say('plan.see')}</Link>
    </p>
    )
  : null

/** Looks whether a question that waits is one of several of its turn. */
export const PlanLink = ({ of }: { of: Approval }) => {
  const { id, kind, status, votes = [], steps } = of
  const mayBeOne = kind === 'tool' && status === 'pending' && !steps
  const { data } = useResource([id, status, votes.length], async (signal) => {
    // Most questions wait alone, and why one is in no plan is nothing that its reader has to know.
    const plan = mayBeOne ? await readPlan(id, signal).catch(() => undefined) : undefined
    return plan?.steps.length ?? 0
  })
  return data ? <PlanOffer id={id} count={data} /> : null
}
