import { useEffect } from 'preact/hooks'
import { useSignal } from '@preact/signals'
import { Link, useLocation } from 'wouter-preact'
import { api, body, type Schemas } from '../../api/client'
import { problemOf } from '../../api/problem'
import { useResource } from '../../api/resource'
import {
  planAddress, readPlan, readProgress, type DecidedSteps, type PlanOfSteps, type StepsProgress
} from '../../approvals/steps'
import { Crumbs } from '../../parts/crumbs'
import { Notice } from '../../parts/notice'
import { PageHead } from '../../parts/page-head'
import { Loaded } from '../../parts/states'
import { announce, onAnnounced } from '../chat/tabs'
import { Outcome } from './outcome'
import { Undecided } from './undecided'
import { say } from '../../texts/say'
import './plan.css'

type Question = Schemas['ConfirmationDetails']

type Found = { kind: 'plan', plan: PlanOfSteps } | { kind: 'decided', progress: StepsProgress } | { kind: 'alone' }

const noPlan = new Set(['steps_not_found', 'confirmation_closed'])

/** @returns the plan that waits, else how far the decided one has come. @throws Problem */
const readNow = async (id: string, signal: AbortSignal): Promise<Found> => {
  try {
    return { kind: 'plan', plan: await readPlan(id, signal) }
  } catch (error) {
    if (!noPlan.has(problemOf(error).code)) throw error
  }
  try {
    return { kind: 'decided', progress: await readProgress(id, signal) }
  } catch (error) {
    if (problemOf(error).code !== 'steps_not_found') throw error
    return { kind: 'alone' }
  }
}

const Alone = ({ id }: { id: string }) => <>
  <PageHead title={say('plan.title')} />
  <Notice>{say('plan.alone')}</Notice>
  <p><Link href={`/inbox/${id}`}>{say('plan.seeApproval')}</Link></p>
</>

interface NowProps { question: Question, onDecided: (plan: PlanOfSteps, decided: DecidedSteps) => void }

/** What the plan is at this moment; it is read again whenever the question has another state or other votes. */
const Now = ({ question, onDecided }: NowProps) => {
  const { id, status, votes } = question
  const [, navigate] = useLocation()
  const hasMoved = useSignal(false)
  const found = useResource([id, status, votes.length], (signal) => readNow(id, signal))
  const { reload, data } = found
  // Votes on another plan of steps have taken the place of this question.
  const current = data?.kind === 'decided' && data.progress.status === 'pending' ? data.progress.steps[0] : undefined
  const isReplaced = current !== undefined && data?.kind === 'decided' &&
    !data.progress.steps.some(({ confirmation_id: of }) => of === id)
  useEffect(() => {
    if (isReplaced) navigate(planAddress(current.confirmation_id), { replace: true })
  }, [isReplaced])
  const onMoved = () => {
    hasMoved.value = true
    reload()
  }
  return (
    <Loaded of={found}>{(now) => {
      switch (now.kind) {
        case 'plan': return (
          <Undecided
            question={question} plan={now.plan} hasMoved={hasMoved.value} onMoved={onMoved}
            onDecided={(decided) => {
              hasMoved.value = false
              onDecided(now.plan, decided)
            }}
          />
        )
        case 'decided': return <Outcome id={id} question={question} />
        case 'alone': return <Alone id={id} />
      }
    }}
    </Loaded>
  )
}

/** The writes of one turn as one plan: what each would do, the decision, and what became of them. */
export default function PlanPage ({ id }: { id: string }) {
  const [, navigate] = useLocation()
  const approved = useSignal<PlanOfSteps | undefined>(undefined)
  const question = useResource([id], (signal) => body(api.GET('/api/v1/agent/confirmations/{confirmation_id}',
    { params: { path: { confirmation_id: id } }, signal })), { every: 10_000 })
  const { reload } = question
  useEffect(() => onAnnounced(reload), [id])
  const onDecided = (plan: PlanOfSteps, { status, session_id }: DecidedSteps) => {
    if (status === 'approved') approved.value = plan
    announce(session_id)
    if (status === 'rejected') navigate(`/inbox/${id}`)
  }
  return (
    <div class='page'>
      <Crumbs to={[[say('nav.approvals'), '/inbox'], [say('plan.approval'), `/inbox/${id}`]]} />
      <Loaded of={question}>{(shown) => approved.value
        ? <Outcome id={id} question={shown} plan={approved.value} />
        : <Now question={shown} onDecided={onDecided} />}
      </Loaded>
    </div>
  )
}
