import { api, body, type Schemas } from '../../api/client'
import { useResource } from '../../api/resource'
import { StateBadge } from '../../parts/badge'
import { CircleCheck } from '../../parts/icons'
import { Notice } from '../../parts/notice'
import { Empty, Loaded } from '../../parts/states'
import { Table } from '../../parts/table'
import { Time } from '../../parts/time'
import type { ViewProps } from '../../results/operation'
import { say } from '../../texts/say'

type Alarm = Schemas['Alarm']
type Page = Schemas['AlarmPage']

const measureOf = ({ metrics, rule }: Alarm): string =>
  rule ?? metrics.map(({ namespace, metric, statistic }) =>
    `${namespace} ${metric}${statistic === null ? '' : ` (${statistic})`}`).join(', ')

const Row = ({ alarm }: { alarm: Alarm }) => <tr>
  <td>
    <a href={alarm.console_url} target='_blank' rel='noopener noreferrer'>{alarm.name}</a>
    {alarm.description && <div class='small muted'>{alarm.description}</div>}
  </td>
  <td><StateBadge state={alarm.state} /></td>
  <td class='nowrap'><Time at={alarm.since} /></td>
  <td>{measureOf(alarm)}{alarm.condition && <div class='small muted'>{alarm.condition}</div>}</td>
  <td class='small'>{alarm.reason ?? '–'}</td>
</tr>

const rank = { alarm: 0, insufficient_data: 1, unknown: 1, ok: 2 } as const

/** Those that fire first. */
export default function Alarms ({ result: { items, errors } }: Pick<ViewProps<Page>, 'result'>) {
  const sorted = items.toSorted((a, b) => rank[a.state] - rank[b.state])
  return (
    <section class='card flush' aria-label={say('alarms.title')}>
      {errors.map(({ region, detail }) => <Notice key={`${region} ${detail}`} tone='warn'>{region}: {detail}</Notice>)}
      {items.length === 0
        ? errors.length === 0 && <Empty icon={CircleCheck} title={say('alarms.none')} />
        : <Table columns={[say('alarms.alarm'), say('service.state'), say('alarms.since'), say('alarms.watches'), say('container.why')]}>
          {sorted.map((alarm) => <Row key={alarm.id} alarm={alarm} />)}
        </Table>}
    </section>
  )
}

/** The alarms whose dimensions name the service. */
export const ServiceAlarms = ({ service }: { service: string }) => {
  const alarms = useResource([service], (signal) =>
    body(api.GET('/infrastructure/alarms', { params: { query: { service, limit: 100 } }, signal })), { every: 30_000 })
  return <Loaded of={alarms}>{(page) => <Alarms result={page} />}</Loaded>
}
