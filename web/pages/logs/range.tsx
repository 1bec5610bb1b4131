import type { Cell } from '../../parts/cell'
import { Choice, TextField } from '../../parts/form'
import { say, sayEach } from '../../texts/say'

const presets = {
  '15m': 'logs.range.15m',
  '1h': 'logs.range.1h',
  '6h': 'logs.range.6h',
  '1d': 'logs.range.1d',
  '7d': 'logs.range.7d',
  'own': 'logs.range.own'
} as const
type Preset = keyof typeof presets

export const usual: Preset = '15m'

const isPreset = (text: string): text is Preset => Object.hasOwn(presets, text)

/** @returns a moment as a field of the browser shows it, in its time zone */
const toLocal = (iso: string): string => {
  const at = new Date(iso)
  return Number.isNaN(at.getTime())
    ? ''
    : new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

/** A moment of the address as a field of the browser. */
const localOf = (of: Cell<string>): Cell<string> => ({
  get value () { return toLocal(of.value) },
  set value (text) {
    const at = new Date(text)
    // Half of a date is none: the last whole one stays.
    if (!Number.isNaN(at.getTime())) of.value = at.toISOString()
  }
})

const hourMs = 3_600_000

/** The time of which lines are shown: the last minutes, hours or days, or from one moment to another. */
export const RangeFields = ({ since, until }: { since: Cell<string>, until: Cell<string> }) => {
  const preset: Cell<Preset> = {
    get value () {
      const text = since.value === '' ? usual : since.value
      return until.value === '' && isPreset(text) ? text : 'own'
    },
    set value (next) {
      const now = Date.now()
      until.value = next === 'own' ? new Date(now).toISOString() : ''
      since.value = next === 'own' ? new Date(now - hourMs).toISOString() : next === usual ? '' : next
    }
  }
  return (
    <>
      <Choice label={say('logs.range')} value={preset} options={sayEach(presets)} />
      {preset.value === 'own' && <>
        <TextField label={say('logs.from')} type='datetime-local' value={localOf(since)} />
        <TextField label={say('logs.until')} type='datetime-local' value={localOf(until)} />
      </>}
    </>
  )
}
