import { useEffect } from 'preact/hooks'
import { useSignal } from '@preact/signals'
import type { Cell } from '../../parts/cell'
import { Choice, NumberField, TextField } from '../../parts/form'
import { dayOf } from './cron'
import { readSchedule, writeSchedule, type Schedule } from './schedule'
import { labels } from './values'
import { say, sayEach, sayWith } from '../../texts/say'

const kinds = {
  weekdays: 'schedule.weekdays',
  daily: 'schedule.daily',
  weekly: 'schedule.weekly',
  monthly: 'schedule.monthly',
  hourly: 'schedule.hourly',
  cron: 'schedule.cron'
} as const
type Kind = keyof typeof kinds

const standard = '0 8 * * 1-5'

/** What changes of a schedule when it repeats otherwise: its time stays. */
const changeKind = (before: Schedule, kind: Kind): Schedule => {
  const time = 'time' in before ? before.time : '08:00'
  switch (kind) {
    case 'weekdays': case 'daily': return { kind, time }
    case 'weekly': return { kind, day: 1, time }
    case 'monthly': return { kind, day: 1, time }
    case 'hourly': return { kind, minute: 0 }
    case 'cron': return { kind, cron: writeSchedule(before) }
  }
}

interface Props {
  cron: Cell<string>
  /** Nothing need be chosen: then it runs as Steward does by itself. */
  isOptional: boolean
}

type Timed = Extract<Schedule, { time: string }>

const TimeField = ({ of, onChange }: { of: Timed, onChange: (next: Schedule) => void }) => <TextField
  label={say('schedule.at')} type='time' required
  value={{ get value () { return of.time }, set value (time) { if (time !== '') onChange({ ...of, time }) } }}
/>

const weekdays = (): Record<string, string> =>
  Object.fromEntries(['1', '2', '3', '4', '5', '6', '0'].map((day) => [day, dayOf(day)]))

const Details = ({ of, cron, onChange }: { of: Schedule, cron: Cell<string>, onChange: (next: Schedule) => void }) => {
  switch (of.kind) {
    case 'weekdays': case 'daily': return <TimeField of={of} onChange={onChange} />
    case 'weekly': return (
      <>
        <Choice
          label={say('schedule.on')} options={weekdays()}
          value={{ get value () { return String(of.day) }, set value (day) { onChange({ ...of, day: Number(day) }) } }}
        />
        <TimeField of={of} onChange={onChange} />
      </>
    )
    case 'monthly': return (
      <>
        <NumberField
          label={say('schedule.dayOfMonth')} min={1} max={31} step={1}
          value={{ get value () { return of.day }, set value (day) { onChange({ ...of, day }) } }}
        />
        <TimeField of={of} onChange={onChange} />
      </>
    )
    case 'hourly': return (
<NumberField
  label={say('schedule.minute')} min={0} max={59} step={1}
  value={{ get value () { return of.minute }, set value (minute) { onChange({ ...of, minute }) } }}
/>
    )
    case 'cron': return (
      <div class='stack tight'>
        <TextField
          label={say(labels.cron)} class='mono' value={cron} pointer='/cron' required maxLength={100}
          placeholder={standard}
        />
        <p class='small muted'>{sayWith('trigger.cron.words', { code: <code>{standard}</code> })}</p>
      </div>
    )
  }
}

/** How often it runs, in words; a cron for whatever these do not say. */
export const ScheduleFields = ({ cron, isOptional }: Props) => {
  // A cron that is typed stays one, also where words would say it.
  const isCron = useSignal(false)
  useEffect(() => { if (!isOptional && cron.value === '') cron.value = standard }, [])
  const found = readSchedule(cron.value)
  const now: Schedule = isCron.value ? { kind: 'cron', cron: cron.value } : found
  const isStandard = isOptional && cron.value === '' && !isCron.value
  const change = (next: Schedule) => { cron.value = writeSchedule(next) }
  const choose = (kind: Kind | 'standard') => {
    isCron.value = kind === 'cron'
    if (kind === 'standard') cron.value = ''
    else if (kind !== 'cron') change(changeKind(now, kind))
    else if (cron.value === '') cron.value = standard
  }
  const options: Partial<Record<Kind | 'standard', string>> =
    { ...isOptional && { standard: say('schedule.standard') }, ...sayEach(kinds) }
  return (
    <div class='fields'>
      <Choice<Kind | 'standard'>
        // Where nothing need be chosen there is one more.
        label={say('schedule.repeats')} options={options as Record<Kind | 'standard', string>}
        value={{ get value () { return isStandard ? 'standard' : now.kind }, set value (kind) { choose(kind) } }}
      />
      {!isStandard && <Details of={now} cron={cron} onChange={change} />}
    </div>
  )
}
