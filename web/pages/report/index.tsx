import { useSignal } from '@preact/signals'
import { Link } from 'wouter-preact'
import { api, body, type Schemas } from '../../api/client'
import { useResource } from '../../api/resource'
import { Badge } from '../../parts/badge'
import { Crumbs } from '../../parts/crumbs'
import { Notice } from '../../parts/notice'
import { PageHead } from '../../parts/page-head'
import { Loaded } from '../../parts/states'
import { Time } from '../../parts/time'
import { citedOf } from './blocks'
import { CitedAlert, CitedCall } from './cited'
import { Proposals } from './proposals'
import { CitingContext, Sentenced } from './sentences'

type Report = Schemas['Report']

/** What the comparison with the cited results found, and what it does not say. */
const Verdict = ({ report: { sentences, unsupported } }: { report: Report }) => {
  if (unsupported > 0) {
    return (
      <Notice tone='warn'>
        <strong>{unsupported} {unsupported === 1 ? 'sentence has' : 'sentences have'} numbers or names that are not in
          the cited results.
        </strong> Look there first: it may be a sum that the assistant computed, or wrong.
      </Notice>
    )
  }
  return sentences.some(({ status }) => status === 'supported')
    ? <Notice tone='good'>Each number and name is in a result that its sentence cites. What follows from them nobody has
      checked.
    </Notice>
    : <Notice>It has no numbers and no names that could be compared with a result.</Notice>
}

type Trigger = Schemas['Trigger'] | undefined

const TriggerLink = ({ id, trigger }: { id: string, trigger: Trigger }) =>
  <Link href={`/triggers/${id}`}>{trigger?.name ?? 'its trigger'}</Link>

interface CauseProps { report: Report, trigger: Trigger, onOpen: () => void }

/** The alert, and whether it is over; a build that failed and unusual cost are never over. */
const Cause = ({ report: { alert, resolved_at: at }, trigger, onOpen }: CauseProps) => {
  if (alert === null) return null
  const isAlert = trigger?.kind === 'webhook'
  return (
    <section class='card row' aria-label='What set it off'>
      <h2>{isAlert ? 'Alert' : 'What set it off'}</h2>
      <span class='grow'>
        {at && <><Badge tone='good'>resolved</Badge> <Time at={at} /></>}
        {!at && isAlert && <Badge tone='warn'>not resolved</Badge>}
      </span>
      <button type='button' onClick={onOpen}>{isAlert ? 'Show the alert' : 'Show it'}</button>
    </section>
  )
}

const Whole = ({ report }: { report: Report }) => {
  const shown = useSignal<string | undefined>(undefined)
  const open = (what: string) => { shown.value = what }
  const close = () => { shown.value = undefined }
  const cited = citedOf(report.sentences)
  const { data: trigger } = useResource([report.trigger_id], (signal) => body(api.GET(
    '/api/v1/agent/triggers/{trigger_id}', { params: { path: { trigger_id: report.trigger_id } }, signal })))
  return (
    <>
      <PageHead title={report.title}>
        <Time at={report.created_at} /> · set off by <TriggerLink id={report.trigger_id} trigger={trigger} /> ·{' '}
        <Link href={`/chat/${report.session_id}`}>Session</Link>
      </PageHead>
      <Verdict report={report} />
      <section class='card' aria-label='Report'>
        <CitingContext.Provider value={{ cited, open }}><Sentenced of={report.sentences} /></CitingContext.Provider>
      </section>
      <Proposals ids={report.proposals} />
      <Cause report={report} trigger={trigger} onOpen={() => open('alert')} />
      {shown.value === 'alert' && <CitedAlert
        alert={report.alert} isForeign={trigger?.kind === 'webhook'} onClose={close}
      />}
      {shown.value !== undefined && shown.value !== 'alert' && <CitedCall
        key={shown.value} id={shown.value} number={cited.indexOf(shown.value) + 1} onClose={close}
      />}
    </>
  )
}

/** One report of a run that nobody read along. */
export default function ReportPage ({ id }: { id: string }) {
  const report = useResource([id], (signal) => body(api.GET('/api/v1/agent/reports/{report_id}',
    { params: { path: { report_id: id } }, signal })), { every: 15_000 })
  return (
    <div class='page'>
      <Crumbs to={[['Triggers', '/triggers'], ['Reports', '/reports']]} />
      <Loaded of={report}>{(data) => <Whole report={data} />}</Loaded>
    </div>
  )
}
