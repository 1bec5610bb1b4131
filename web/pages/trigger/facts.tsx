import { Link } from 'wouter-preact'
import { api, body, type Schemas } from '../../api/client'
import { useResource } from '../../api/resource'
import { Copied } from '../../parts/copied'
import { formatMoney } from '../../parts/money'
import { Time } from '../../parts/time'
import { formatInZone, kinds, setUp, sources } from '../triggers/words'

type Trigger = Schemas['Trigger']

const usd = (amount: number) => formatMoney({ amount: String(amount), currency: 'USD' })

const AppLink = ({ id }: { id: string }) => {
  const app = useResource([id], (signal) =>
    body(api.GET('/deployments/apps/{app_id}', { params: { path: { app_id: id } }, signal })))
  return <Link href={`/apps/${id}`}>{app.data?.name ?? id}</Link>
}

const When = ({ trigger }: { trigger: Trigger }) => trigger.cron === null
  ? null
  : <>
    <dt>When</dt><dd><code>{trigger.cron}</code>, {trigger.time_zone}</dd>
    <dt>Next run</dt><dd>{trigger.enabled && trigger.next_at
      ? <>{formatInZone(trigger.next_at, trigger.time_zone)} (<Time at={trigger.next_at} />)</>
      : 'none while it is off'}
    </dd>
  </>

const Webhook = ({ trigger }: { trigger: Trigger }) => trigger.source === null
  ? null
  : <>
    <dt>Sent by</dt><dd>{sources[trigger.source]}</dd>
    {trigger.topic_arn && <><dt>Topic</dt><dd class='mono'>{trigger.topic_arn}</dd></>}
  </>

/** What a trigger asks, when, and within which bounds. */
export const Facts = ({ trigger }: { trigger: Trigger }) => <section class='card stack' aria-label='Settings'>
  <dl class='facts'>
    <dt>Begins by</dt><dd>{kinds[trigger.kind]}</dd>
    <Webhook trigger={trigger} />
    {trigger.kind === 'build_failed' && <>
      <dt>App</dt><dd>{trigger.app_id ? <AppLink id={trigger.app_id} /> : 'each app'}</dd>
    </>}
    {trigger.kind === 'cost_anomaly' && <>
      <dt>From</dt><dd>{trigger.min_impact_usd ? usd(trigger.min_impact_usd) : 'any amount'}</dd>
    </>}
    <When trigger={trigger} />
    <dt>Question</dt><dd class='written'>{trigger.question}</dd>
    <dt>Bounds</dt><dd>{usd(trigger.budget_usd)} for a run, {trigger.runs_a_day} runs in 24 hours</dd>
    <dt>Last run</dt><dd>{trigger.last_run_at ? <Time at={trigger.last_run_at} /> : 'never'}</dd>
  </dl>
  {trigger.events_url && trigger.source && <>
    <Copied label='Address for the events' text={trigger.events_url} />
    <p class='small muted'>{setUp[trigger.source]}</p>
  </>}
</section>
