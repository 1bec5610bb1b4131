import '../content/desk/desk.css'
import { useSignal, type Signal } from '@preact/signals'
import { Link } from 'wouter-preact'
import { api, baseUrl, body, type Schemas } from '../../api/client'
import { useResource } from '../../api/resource'
import { AlarmClock } from '../../parts/icons'
import { PageHead } from '../../parts/page-head'
import { ProjectChoice } from '../../parts/project-choice'
import { Empty, Loaded } from '../../parts/states'
import { Table } from '../../parts/table'
import { Tabs } from '../../parts/tabs'
import { formatKind } from '../content/kinds'
import { contentTabs } from '../contents/content-tabs'
import { byDay, dayOf, formats, weeksOf } from './month'
import { Subscriptions } from './subscriptions'
import { say, type Key } from '../../texts/say'

type Item = Schemas['ScheduledContents']['items'][number]

const verbs: Partial<Record<string, Key>> = {
  publish: 'calendar.publish', update: 'calendar.publish', unpublish: 'calendar.unpublish'
}
/** @returns what is done with it; what a later server does, by its name */
const verbOf = ({ action }: Item): string => verbs[action] ? say(verbs[action]) : action

const Day = ({ day, items, isShown }: { day: Date, items: Item[], isShown: boolean }) => <td
  class={dayOf(day) === dayOf(new Date()) ? 'today' : undefined}
>
  <span class={isShown ? 'small' : 'small muted'}>{day.getDate()}</span>
  {items.map((item) => <div key={item.id} class='small'>
    {formats.value.time.format(new Date(item.publish_at))}{' '}
    <Link href={`/content/${item.content_id}`}>{item.title}</Link>
  </div>)}
</td>

const Month = ({ items, shown }: { items: Item[], shown: Signal<Date> }) => {
  const [year, month] = [shown.value.getFullYear(), shown.value.getMonth()]
  const weeks = weeksOf(year, month)
  const days = byDay(items)
  const go = (months: number) => () => { shown.value = new Date(year, month + months, 1) }
  return (
    <section class='card stack month' aria-label={say('calendar.month')}>
      <div class='row spread'>
        <button type='button' class='small' onClick={go(-1)}>{say('calendar.before')}</button>
        <h2 aria-live='polite'>{formats.value.month.format(shown.value)}</h2>
        <button type='button' class='small' onClick={go(1)}>{say('calendar.after')}</button>
      </div>
      <table>
        <thead><tr>{weeks[0]?.map((day) => <th key={day.getDay()} scope='col'>
          {formats.value.weekday.format(day)}
        </th>)}
        </tr>
        </thead>
        <tbody>{weeks.map((week, index) => <tr key={index}>{week.map((day) => <Day
          key={dayOf(day)} day={day} items={days.get(dayOf(day)) ?? []} isShown={day.getMonth() === month}
        />)}
        </tr>)}
        </tbody>
      </table>
    </section>
  )
}

const Agenda = ({ items }: { items: Item[] }) => <section
  class='card flush' aria-label={say('calendar.scheduled')}
>
  {items.length === 0
    ? <Empty icon={AlarmClock} title={say('calendar.none')}>
      <p>{say('calendar.none.words')}</p>
    </Empty>
    : <Table columns={[say('common.when'), say('common.what'), say('calendar.where')]}>
      {items.map((item) => <tr key={item.id}>
        <td class='nowrap'>{formats.value.day.format(new Date(item.publish_at))}
          <div class='small'>{formats.value.time.format(new Date(item.publish_at))}</div>
        </td>
        <td>{verbOf(item)} <Link href={`/content/${item.content_id}`}>{item.title}</Link>
          <div class='small muted'>v{item.version} · {item.locale}</div>
        </td>
        <td>{item.target_name} <span class='muted'>{formatKind(item.kind)}</span></td>
      </tr>)}
    </Table>}
</section>

/** What is scheduled, as a month and as a list, and for other calendars. */
export default function CalendarPage () {
  const project = useSignal('')
  const shown = useSignal(new Date())
  const isOpen = useSignal(false)
  const query = { project_id: project.value || undefined }
  const found = useResource([project.value], (signal) =>
    body(api.GET('/content/scheduled', { params: { query }, signal })))
  const file = `${baseUrl}/content/calendar${project.value === '' ? '' : `?project_id=${project.value}`}`
  return (
    <div class='page'>
      <PageHead
        title={say('contents.calendar')} actions={<>
        <a class='button' href={file} download='content.ics'>{say('calendar.file')}</a>
        <button type='button' aria-expanded={isOpen.value} onClick={() => { isOpen.value = !isOpen.value }}>
          {say('calendar.subscribe')}
        </button>
        </>}
      >
        {say('calendar.words')}
      </PageHead>
      <Tabs label={say('contents.parts')} tabs={contentTabs()} current='/content/calendar' />
      <div class='filters'><ProjectChoice value={project} none={say('project.all')} unseen /></div>
      <Loaded of={found}>{({ items }) => <>
        <Month items={items} shown={shown} />
        <Agenda items={items} />
        {isOpen.value && <Subscriptions project={project.value} />}
      </>}
      </Loaded>
    </div>
  )
}
