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
import { say, sayWith } from '../../texts/say'

type Report = Schemas['Report']

/** What the comparison with the cited results found, and what it does not say. */
const Verdict = ({ report: { sentences, unsupported } }: { report: Report }) => {
  if (unsupported > 0) {
    return (
      <Notice tone='warn'>
        <strong>{say('report.unsupported', { count: unsupported })}</strong> {say('report.look')}
      </Notice>
    )
  }
  return sentences.some(({ status }) => status === 'supported')
    ? <Notice tone='good'>{say('report.supported')}
    </Notice>
    : <Notice>{say('report.nothing')}</Notice>
}

type Trigger = Schemas['Trigger'] | undefined

const TriggerLink = ({ id, trigger }: { id: string, trigger: Trigger }) =>
  <Link href={`/triggers/${id}`}>{trigger?.name ?? say('report.itsTrigger')}</Link>

interface CauseProps { report: Report, trigger: Trigger, onOpen: () => void }

/** The alert, and whether it is over; a build that failed and unusual cost are never over. */
const Cause = ({ report: { alert, resolved_at: at }, trigger, onOpen }: CauseProps) => {
  if (alert === null) return null
  const isAlert = trigger?.kind === 'webhook'
  return (
    <section class='card row' aria-label={say('report.cause')}>
      <h2>{isAlert ? say('report.alert') : say('report.cause')}</h2>
      <span class='grow'>
        {at && <><Badge tone='good'>{say('firing.resolved')}</Badge> <Time at={at} /></>}
        {!at && isAlert && <Badge tone='warn'>{say('report.unresolved')}</Badge>}
      </span>
      <button type='button' onClick={onOpen}>{isAlert ? say('report.showAlert') : say('report.show')}</button>
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
        {sayWith('report.setOff', {
          when: <Time at={report.created_at} />,
          trigger: <TriggerLink id={report.trigger_id} trigger={trigger} />,
          session: <Link href={`/chat/${report.session_id}`}>{say('firing.session')}</Link>
        })}
      </PageHead>
      <Verdict report={report} />
      <section class='card' aria-label={say('firing.report')}>
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
      <Crumbs to={[[say('nav.automations'), '/triggers'], [say('report.title'), '/reports']]} />
      <Loaded of={report}>{(data) => <Whole report={data} />}</Loaded>
    </div>
  )
}
