import { Link } from 'wouter-preact'
import { api, body, type Schemas } from '../../api/client'
import { useResource } from '../../api/resource'
import { Copied } from '../../parts/copied'
import { formatMoney } from '../../parts/money'
import { Time } from '../../parts/time'
import { describeCron } from '../triggers/cron'
import { formatInZone, kinds, nameSources, setUp } from '../triggers/words'
import { say } from '../../texts/say'

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
    <dt>{say('common.when')}</dt>
    <dd>{describeCron(trigger.cron)}, {trigger.time_zone} <code class='small muted'>{trigger.cron}</code></dd>
    <dt>{say('trigger.next')}</dt><dd>{trigger.enabled && trigger.next_at
      ? <>{formatInZone(trigger.next_at, trigger.time_zone)} (<Time at={trigger.next_at} />)</>
      : say('trigger.noNext')}
    </dd>
  </>

const Webhook = ({ trigger }: { trigger: Trigger }) => trigger.source === null
  ? null
  : <>
    <dt>{say('trigger.sentBy')}</dt><dd>{nameSources()[trigger.source]}</dd>
    {trigger.topic_arn && <><dt>{say('trigger.topic')}</dt><dd class='mono'>{trigger.topic_arn}</dd></>}
  </>

/** What a trigger asks, when, and within which bounds. */
export const Facts = ({ trigger }: { trigger: Trigger }) => <section
  class='card stack' aria-label={say('trigger.settings')}
>
  <dl class='facts'>
    <dt>{say('trigger.begins')}</dt><dd>{say(kinds[trigger.kind])}</dd>
    <Webhook trigger={trigger} />
    {trigger.kind === 'build_failed' && <>
      <dt>{say('trigger.app')}</dt><dd>{trigger.app_id ? <AppLink id={trigger.app_id} /> : say('trigger.anyApp')}</dd>
    </>}
    {trigger.kind === 'cost_anomaly' && <>
      <dt>{say('trigger.from')}</dt>
      <dd>{trigger.min_impact_usd ? usd(trigger.min_impact_usd) : say('trigger.anyAmount')}</dd>
    </>}
    <When trigger={trigger} />
    <dt>{say('trigger.question')}</dt><dd class='written'>{trigger.question}</dd>
    <dt>{say('trigger.bounds')}</dt>
    <dd>{say('trigger.boundsOf', { budget: usd(trigger.budget_usd), count: trigger.runs_a_day })}</dd>
    <dt>{say('trigger.last')}</dt><dd>{trigger.last_run_at
      ? <Time
          at={trigger.last_run_at}
      />
      : say('trigger.never')}
    </dd>
  </dl>
  {trigger.events_url && trigger.source && <>
    <Copied label={say('trigger.events')} text={trigger.events_url} />
    <p class='small muted'>{say(setUp[trigger.source])}</p>
  </>}
</section>
