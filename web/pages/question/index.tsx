import { useEffect } from 'preact/hooks'
import { Link, useLocation } from 'wouter-preact'
import { api, body, type Schemas } from '../../api/client'
import { useResource } from '../../api/resource'
import { ApprovalCard } from '../../approvals/approval-card'
import type { OnChange } from '../../approvals/decision'
import { PlanLink } from '../../approvals/plan-offer'
import { Escalation, Votes } from '../../approvals/standing'
import { describeApprovers, describeNeeds, describePolicies } from '../../approvals/who'
import { Crumbs } from '../../parts/crumbs'
import { formatOperation } from '../../parts/label'
import { Notice } from '../../parts/notice'
import { PageHead } from '../../parts/page-head'
import { Loaded } from '../../parts/states'
import { Time } from '../../parts/time'
import { me } from '../../shell/session'
import { announce, onAnnounced } from '../chat/tabs'
import { Outcome } from './outcome'
import { Thread } from './thread'
import { useLink } from './use-link'
import { say, sayWith } from '../../texts/say'
import { translate } from '../../texts/translate'

type Question = Schemas['ConfirmationDetails']

const Conversation = ({ of: { requested_by: by, session_id: session, session_title: title } }: { of: Question }) => <>
  <dt>{say('question.conversation')}</dt>
  <dd>{by.id === me.value?.user.id
    ? <Link href={`/chat/${session}`}>{title ?? say('question.untitled')}</Link>
    : <span class='muted'>{say('question.onlySees', { name: by.name })}</span>}
  </dd>
</>

const Needs = ({ of }: { of: Question }) => {
  const policies = describePolicies(of.requirement)
  return (
    <>
      <dt>{say('question.needs')}</dt>
      <dd>{describeNeeds(of)}{policies !== '' && <span class='small muted'> ({policies})</span>}</dd>
      {of.status === 'pending' && of.waits_for && <>
        <dt>{say('question.waitsFor')}</dt>
        <dd>{translate('plans', of.waits_for)}{' '}
          <span class='small muted'>{say('question.mayNow', { approvers: describeApprovers(of.approvers) })} </span>
          <Escalation of={of} />
        </dd>
      </>}
    </>
  )
}

const Facts = ({ of }: { of: Question }) => <section class='card stack' aria-label={say('question.facts')}>
  <h2>{say('question.facts')}</h2>
  <dl class='facts'>
    <dt>{say('question.askedBy')}</dt><dd>{of.requested_by.name}, <Time at={of.requested_at} /></dd>
    <Conversation of={of} />
    <Needs of={of} />
    {of.decided_by && <>
      <dt>{say('question.decidedBy')}</dt><dd>{of.decided_by.name}, <Time at={of.decided_at} /></dd>
    </>}
  </dl>
  {of.votes.length > 0 && <Votes votes={of.votes} />}
</section>

/** An id says nothing to who may not see it: the page of a missing question is the same. */
const Unseen = ({ isOfAnother }: { isOfAnother: boolean }) => <>
  <PageHead title={say('question.unseen')} />
  {isOfAnother && <Notice tone='warn'>
    {say('question.ofAnother')}
  </Notice>}
  <p>{sayWith('question.noSuch', { approvals: <Link href='/inbox'>{say('question.toApprovals')}</Link> })}
  </p>
</>

/** One question: what would change, who has said what, and what was asked before it. */
export default function QuestionPage ({ id }: { id: string }) {
  const [, navigate] = useLocation()
  const isOfAnother = useLink()
  const question = useResource([id], (signal) => body(api.GET('/api/v1/agent/confirmations/{confirmation_id}',
    { params: { path: { confirmation_id: id } }, signal })), { every: 10_000 })
  const { reload, data } = question
  const isUnseen = !data && question.problem?.status === 404
  useEffect(() => onAnnounced(reload), [id])
  const onChange: OnChange = (approval) => {
    if (approval.id !== id) navigate(`/inbox/${approval.id}`, { replace: true })
    announce(approval.session_id)
  }
  return (
    <div class='page'>
      <Crumbs to={[[say('nav.approvals'), '/inbox']]} />
      {isUnseen
        ? <Unseen isOfAnother={isOfAnother} />
        : <Loaded of={question}>{(shown) => <>
        <PageHead title={formatOperation(shown.name)} />
        <PlanLink of={shown} />
        <ApprovalCard approval={shown} onChange={onChange} />
        <Outcome of={shown} />
        <Facts of={shown} />
        </>}
        </Loaded>}
      {data && <Thread id={id} state={`${data.status} ${data.votes.length}`} />}
    </div>
  )
}
