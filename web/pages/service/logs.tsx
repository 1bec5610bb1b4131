import { Link } from 'wouter-preact'
import type { Schemas } from '../../api/client'
import { useLive } from '../../api/live'
import { LogView, type Line } from '../../parts/log-view'
import { Notice } from '../../parts/notice'
import { sayProblem, toProblem } from '../../parts/problem-words'
import { useFilters } from '../../shell/location'
import { toLogs } from '../logs/source'
import { say } from '../../texts/say'
import { translate } from '../../texts/translate'

type Event = Schemas['LogStreamEvent']

const lineOf = (event: Event): Line[] => {
  if (event.type === 'log') {
    return [{ key: event.id, at: event.timestamp, tag: event.container, text: event.message }]
  }
  if (event.type === 'error') {
    return [{ key: crypto.randomUUID(), at: '', tag: null, text: sayProblem(toProblem(event)), bad: true }]
  }
  return []
}

/** @returns whether an event only repeats the error before it: each attempt to connect meets it anew */
const isAgain = (event: Event, before: Event | undefined): boolean => event.type === 'error' &&
  before?.type === 'error' && before.code === event.code && before.message === event.message

/** Follows the service's logs, beginning 15 minutes ago. */
export const Logs = ({ service }: { service: Schemas['ServiceDetail'] }) => {
  const { filter } = useFilters(['filter'])
  const query = new URLSearchParams({ since: '15m', ...(filter.value === '' ? {} : { filter: filter.value }) })
  const path = `/infrastructure/containers/services/${encodeURIComponent(service.id)}/logs?${query}`
  const { events, state, problem, retry } = useLive<Event>(service.logs.available ? path : undefined)
  if (!service.logs.available) {
    const { reason } = service.logs
    return <Notice>{reason === null ? say('service.logs.unreadable') : translate('services', reason)}</Notice>
  }
  return (
    <section class='stack' aria-label={say('service.logs')}>
      <label class='field'><span>{say('service.logs.only')}</span>
        <input
          type='search' placeholder='error' value={filter.value}
          onChange={(event) => { filter.value = event.currentTarget.value.trim() }}
        />
      </label>
      <p><Link href={toLogs({ kind: 'service', id: service.id }, filter.value)}>{say('logs.open')}</Link></p>
      <LogView
        lines={events.filter((event, at) => !isAgain(event, events[at - 1])).flatMap(lineOf)}
        state={state} problem={problem} retry={retry}
        label={say('cloud.logsOf', { name: service.name })}
      />
    </section>
  )
}
