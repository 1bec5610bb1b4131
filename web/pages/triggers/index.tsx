import { useSignal } from '@preact/signals'
import { Link } from 'wouter-preact'
import { api, body, type Schemas } from '../../api/client'
import { usePages } from '../../api/pages'
import { AlarmClock, Plus } from '../../parts/icons'
import { List } from '../../parts/list'
import { PageHead } from '../../parts/page-head'
import { Empty } from '../../parts/states'
import { Table } from '../../parts/table'
import { Tabs } from '../../parts/tabs'
import { Time } from '../../parts/time'
import { Made } from './made'
import { NewTrigger } from './new-trigger'
import { TriggerState } from './state'
import { describeCause, listTabs } from './words'
import { say } from '../../texts/say'

type Trigger = Schemas['Trigger']

const Row = ({ trigger }: { trigger: Trigger }) => <tr>
  <td><Link href={`/triggers/${trigger.id}`}>{trigger.name}</Link>
    <div class='small muted'>{describeCause(trigger)}</div>
  </td>
  <td><TriggerState trigger={trigger} /></td>
  <td class='nowrap'>{trigger.enabled ? <Time at={trigger.next_at} /> : <span class='muted'>–</span>}</td>
  <td class='nowrap'>{trigger.last_run_at ? <Time at={trigger.last_run_at} /> : say('trigger.never')}</td>
</tr>

const NoTriggers = () => <Empty icon={AlarmClock} title={say('trigger.none')}>
  <p>{say('trigger.none.words')}
  </p>
</Empty>

/** My schedules and triggers. */
export default function TriggersPage () {
  const adding = useSignal(false)
  const made = useSignal<Schemas['NewTrigger'] | undefined>(undefined)
  const triggers = usePages<Trigger>([], (cursor, signal) =>
    body(api.GET('/api/v1/agent/triggers', { params: { query: { limit: 50, cursor } }, signal })), { every: 15_000 })
  const onMade = (trigger: Schemas['NewTrigger']) => {
    made.value = trigger
    triggers.reload()
  }
  // The button that had the focus is gone.
  const onDone = () => {
    made.value = undefined
    document.getElementById('main')?.focus({ preventScroll: true })
  }
  const add = (
    <button type='button' class='primary' onClick={() => { adding.value = true }}>
      <Plus size={16} aria-hidden='true' />{say('trigger.new')}
    </button>
  )
  return (
    <div class='page'>
      <PageHead title={say('nav.automations')} guide='triggers' actions={add}>{say('trigger.words')}
      </PageHead>
      <Tabs label={say('trigger.parts')} tabs={listTabs()} current='/triggers' />
      {made.value && <Made made={made.value} onClose={onDone} />}
      <section class='card flush' aria-label={say('trigger.title')}>
        <List of={triggers} empty={<NoTriggers />}>
          {(items) => <Table columns={[
            say('trigger.one'), say('common.state'), say('trigger.next'), say('trigger.last')
          ]}
          >
            {items.map((trigger) => <Row key={trigger.id} trigger={trigger} />)}
          </Table>}
        </List>
      </section>
      {adding.value && <NewTrigger onMade={onMade} onClose={() => { adding.value = false }} />}
    </div>
  )
}
