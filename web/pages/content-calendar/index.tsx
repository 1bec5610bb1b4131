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
import { contentTabs } from '../contents/content-tabs'
import { byDay, dayOf, weeksOf } from './month'
import { Subscriptions } from './subscriptions'

type Item = Schemas['ScheduledContents']['items'][number]

const verbs: Record<string, string> = { publish: 'Publish', update: 'Publish', unpublish: 'Take back' }
const monthName = new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric' })
const weekday = new Intl.DateTimeFormat('en', { weekday: 'short' })
const dayName = new Intl.DateTimeFormat('en', { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' })
const timeName = new Intl.DateTimeFormat('en', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })

const Day = ({ day, items, isShown }: { day: Date, items: Item[], isShown: boolean }) => <td
  class={dayOf(day) === dayOf(new Date()) ? 'today' : undefined}
>
  <span class={isShown ? 'small' : 'small muted'}>{day.getDate()}</span>
  {items.map((item) => <div key={item.id} class='small'>
    {timeName.format(new Date(item.publish_at))} <Link href={`/content/${item.content_id}`}>{item.title}</Link>
  </div>)}
</td>

const Month = ({ items, shown }: { items: Item[], shown: Signal<Date> }) => {
  const [year, month] = [shown.value.getFullYear(), shown.value.getMonth()]
  const weeks = weeksOf(year, month)
  const days = byDay(items)
  const go = (months: number) => () => { shown.value = new Date(year, month + months, 1) }
  return (
    <section class='card stack month' aria-label='Month'>
      <div class='row spread'>
        <button type='button' class='small' onClick={go(-1)}>Month before</button>
        <h2 aria-live='polite'>{monthName.format(shown.value)}</h2>
        <button type='button' class='small' onClick={go(1)}>Month after</button>
      </div>
      <table>
        <thead><tr>{weeks[0]?.map((day) => <th key={day.getDay()} scope='col'>{weekday.format(day)}</th>)}</tr></thead>
        <tbody>{weeks.map((week, index) => <tr key={index}>{week.map((day) => <Day
          key={dayOf(day)} day={day} items={days.get(dayOf(day)) ?? []} isShown={day.getMonth() === month}
        />)}
        </tr>)}
        </tbody>
      </table>
    </section>
  )
}

const Agenda = ({ items }: { items: Item[] }) => <section class='card flush' aria-label='What is scheduled'>
  {items.length === 0
    ? <Empty icon={AlarmClock} title='Nothing is scheduled'>
      <p>Publish an approved text later, and it is here.</p>
    </Empty>
    : <Table columns={['When', 'What', 'Where']}>
      {items.map((item) => <tr key={item.id}>
        <td class='nowrap'>{dayName.format(new Date(item.publish_at))}
          <div class='small'>{timeName.format(new Date(item.publish_at))}</div>
        </td>
        <td>{verbs[item.action] ?? item.action} <Link href={`/content/${item.content_id}`}>{item.title}</Link>
          <div class='small muted'>v{item.version} · {item.locale}</div>
        </td>
        <td>{item.target_name} <span class='muted'>{item.kind}</span></td>
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
        title='Calendar' actions={<>
        <a class='button' href={file} download='content.ics'>iCal file</a>
        <button type='button' aria-expanded={isOpen.value} onClick={() => { isOpen.value = !isOpen.value }}>
          Subscribe
        </button>
        </>}
      >
        What is scheduled, in the time of this browser.
      </PageHead>
      <Tabs label='Parts of content' tabs={contentTabs} current='/content/calendar' />
      <div class='filters'><ProjectChoice value={project} all /></div>
      <Loaded of={found}>{({ items }) => <>
        <Month items={items} shown={shown} />
        <Agenda items={items} />
        {isOpen.value && <Subscriptions project={project.value} />}
      </>}
      </Loaded>
    </div>
  )
}
