import { useSignal } from '@preact/signals'
import { api, baseUrl, body } from '../../../api/client'
import { usePages } from '../../../api/pages'
import { findUsers, useUserNames } from '../../../api/people'
import { Choice, TextField } from '../../../parts/form'
import { FileText } from '../../../parts/icons'
import { List } from '../../../parts/list'
import { PersonChoice } from '../../../parts/person-choice'
import { Empty } from '../../../parts/states'
import { Time } from '../../../parts/time'
import { useFilters } from '../../../shell/location'
import { Outcome, type Names } from './outcome'
import { describeStep, Sentence, type Write } from './sentence'
import { WriteDialog } from './write-dialog'
import { say, sayEach, sayWith } from '../../../texts/say'
import './record.css'

const outcomes = {
  '': 'audit.outcome.any',
  approved: 'audit.outcome.approved',
  rejected: 'audit.outcome.rejected',
  succeeded: 'audit.outcome.succeeded',
  failed: 'audit.outcome.failed',
  unknown: 'audit.outcome.unknown'
} as const
const periods = { any: 'record.any', day: 'record.day', week: 'record.week', month: 'record.month' } as const
const days = { any: 0, day: 1, week: 7, month: 31 } as const
const day = 86_400_000

const Steps = ({ write, names }: { write: Write, names: Names }) => <ol class='plain stack tight small'>
  {write.steps.map((step) => <li key={step.seq}>
    {describeStep(step, names)} <span class='muted'><Time at={step.at} /></span>
  </li>)}
</ol>

interface RowProps { write: Write, names: Names, onOpen: () => void }

/** A write in a sentence, which unfolds. */
const Row = ({ write, names, onOpen }: RowProps) => <li>
  <details class='write'>
    <summary>
      <span class='grow'><Sentence write={write} names={names} /></span>
      <span class='row tight small muted'><Outcome of={write.outcome} /> <Time at={write.at} /></span>
    </summary>
    <div class='stack tight'>
      <Steps write={write} names={names} />
      <div><button type='button' class='small' onClick={onOpen}>{say('audit.json')}</button></div>
    </div>
  </details>
</li>

const Nothing = () => <Empty icon={FileText} title={say('record.none')}><p>{say('record.none.words')}</p></Empty>

const exported = `${baseUrl}/account/audit/export`
const keysUrl = `${baseUrl}/.well-known/steward-audit-keys.json`

const Words = () => <p>{sayWith('record.words', {
  command: <code>steward verify-audit</code>,
  whole: <a href={exported} download>{say('record.whole')}</a>,
  csv: <a href={`${exported}?format=csv`} download>{say('record.csv')}</a>,
  keys: <a href={keysUrl} download='steward-audit-keys.json'>{say('record.keys')}</a>
})}
</p>

/** Who did what in the workspace. */
export const RecordPart = () => {
  const [target, text] = [useSignal(''), useSignal('')]
  const person = useSignal<string>('')
  const outcome = useSignal<keyof typeof outcomes>('')
  const period = useSignal<keyof typeof periods>('any')
  const { write: open } = useFilters(['write'])
  const names: Names = useUserNames()
  const filter = {
    target: target.value.trim() || undefined,
    q: text.value.trim() || undefined,
    user_id: person.value || undefined,
    outcome: outcome.value || undefined
  }
  const writes = usePages<Write>([...Object.values(filter), period.value], (cursor, signal) => {
    // Of one day, so that the next page has the filter of the first.
    const today = Math.ceil(Date.now() / day) * day
    const length = days[period.value]
    const since = length === 0 ? undefined : new Date(today - (length + 1) * day).toISOString()
    return body(api.GET('/account/audit/writes', { params: { query: { limit: 30, cursor, since, ...filter } }, signal }))
  })
  return (
    <div class='stack'>
      <Words />
      <div class='filters'>
        <TextField label={say('common.target')} value={target} placeholder='web prod' />
        <TextField label={say('record.search')} value={text} placeholder='scale' />
        <PersonChoice label={say('common.person')} value={person} none={say('record.everybody')} find={findUsers} />
        <Choice label={say('record.outcome')} value={outcome} options={sayEach(outcomes)} />
        <Choice label={say('record.time')} value={period} options={sayEach(periods)} />
      </div>
      <section class='card flush' aria-label={say('settings.record')}>
        <List of={writes} empty={<Nothing />}>
          {(items) => <ol class='plain writes'>
            {items.map((write) => <Row
              key={write.write_id} write={write} names={names} onOpen={() => { open.value = write.write_id }}
            />)}
          </ol>}
        </List>
      </section>
      {open.value !== '' && <WriteDialog id={open.value} names={names} onClose={() => { open.value = '' }} />}
    </div>
  )
}
