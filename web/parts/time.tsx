import { useEffect } from 'preact/hooks'
import { signal } from '@preact/signals'
import { locale } from '../texts/language'
import { say } from '../texts/say'

/** The current time; it ticks while a relative time is mounted. */
const now = signal(Date.now())
let watchers = 0
let timer: ReturnType<typeof setInterval> | undefined

const watch = () => {
  if (watchers++ === 0) {
    now.value = Date.now()
    timer = setInterval(() => { now.value = Date.now() }, 10_000)
  }
  return () => { if (--watchers === 0) clearInterval(timer) }
}

export const formatExact = (time: number): string =>
  new Intl.DateTimeFormat(locale(), { dateStyle: 'medium', timeStyle: 'medium' }).format(time)
const relativeIn = (tag: string) => new Intl.RelativeTimeFormat(tag, { numeric: 'auto', style: 'short' })
const units = [['day', 86_400], ['hour', 3_600], ['minute', 60]] as const

export const formatRelative = (time: number, reference = Date.now()): string => {
  const seconds = Math.round((time - reference) / 1_000)
  const relative = relativeIn(locale())
  const unit = units.find(([, size]) => Math.abs(seconds) >= size)
  if (!unit) return Math.abs(seconds) < 20 ? say('time.now') : relative.format(seconds, 'second')
  return relative.format(Math.round(seconds / unit[1]), unit[0])
}

/** A relative time such as "5 min ago", with the exact time on hover. */
export const Time = ({ at }: { at: string | null | undefined }) => {
  useEffect(watch, [])
  if (!at) return <span class='muted'>–</span>
  const time = Date.parse(at)
  return <time class='nowrap' dateTime={at} title={formatExact(time)}>{formatRelative(time, now.value)}</time>
}

const pad = (value: number) => String(value).padStart(2, '0')

const formatTimeLeft = (seconds: number): string => {
  if (seconds >= 5_400) return `${Math.round(seconds / 3_600)} h`
  if (seconds >= 90) return `${Math.round(seconds / 60)} min`
  return `${Math.floor(seconds / 60)}:${pad(seconds % 60)}`
}

/** The remaining time; below 90 seconds in seconds. */
export const TimeLeft = ({ until }: { until: string }) => {
  useEffect(watch, [])
  useEffect(() => {
    const ticks = setInterval(() => { now.value = Date.now() }, 1_000)
    return () => clearInterval(ticks)
  }, [])
  const seconds = Math.max(0, Math.round((Date.parse(until) - now.value) / 1_000))
  return (
    <time class='nowrap' dateTime={until} title={formatExact(Date.parse(until))}>
      {seconds === 0 ? say('time.expired') : say('time.expires', { left: formatTimeLeft(seconds) })}
    </time>
  )
}

export const formatDuration = (seconds: number): string =>
  seconds < 60 ? `${Math.round(seconds)} s` : `${Math.floor(seconds / 60)} min ${pad(Math.round(seconds % 60))} s`
