import { useEffect, useRef } from 'preact/hooks'
import Chart from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { formatMoney } from '../../parts/money'
import { groupName } from './group-name'
import { dayOf, formatDay } from './range'
import type { Series } from './series'
import { say } from '../../texts/say'

const height = 280

/** Half of a day in seconds: the bars of the first and the last day are whole. */
const halfDay = 43_200

/** @returns the stacked series, each added to those below it, the topmost first */
const stack = (series: Series[]): number[][] => {
  const length = series[0]?.values.length ?? 0
  const sums = new Array<number>(length).fill(0)
  return series.map(({ values }) => values.map((value, day) => (sums[day] = (sums[day] ?? 0) + value))).toReversed()
}

/** Days are days of UTC; ticks are seconds. */
const formatTime = (seconds: number | null): string =>
  seconds === null ? '–' : formatDay(dayOf(seconds * 1_000))

const optionsOf = (element: HTMLElement, series: Series[], currency: string): Chart.Options => {
  const formatTick = (tick: number) => formatMoney({ amount: String(tick), currency }).replace(/[.,]00(?=\D*$)/, '')
  const axis = {
    stroke: () => getComputedStyle(element).color,
    grid: { stroke: () => getComputedStyle(element).borderTopColor, width: 1 },
    ticks: { show: false },
    font: '12px system-ui'
  }
  // Only a build of uPlot without paths lacks `bars`.
  const paths = Chart.paths.bars?.({ size: [0.72, 40] })
  const shown = series.toReversed().map(({ name, color: fill, values }) => ({
    label: groupName(name),
    fill,
    stroke: fill,
    width: 0,
    paths,
    points: { show: false },
    value: (_: Chart, __: number | null, ___: number, day: number | null) =>
      day === null ? '–' : formatMoney({ amount: String(values[day] ?? 0), currency })
  }))
  return {
    width: element.clientWidth,
    height,
    series: [{ label: say('cost.day'), value: (_, seconds: number | null) => formatTime(seconds) }, ...shown],
    axes: [
      { ...axis, grid: { show: false }, values: (_, ticks) => ticks.map(formatTime) },
      { ...axis, size: 60, values: (_, ticks) => ticks.map(formatTick) }
    ],
    scales: { x: { time: true, range: (_, first, last) => [first - halfDay, last + halfDay] } },
    tzDate: (seconds) => Chart.tzDate(new Date(seconds * 1_000), 'UTC'),
    cursor: { points: { show: false }, drag: { x: false, y: false } }
  }
}

interface Props { days: readonly string[], currency: string, series: Series[] }

/** Stacked bars, one for each day. The table below has the same numbers. */
export const CostChart = ({ days, currency, series }: Props) => {
  const element = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const { current } = element
    if (!current) return
    const times = days.map((day) => Date.parse(day) / 1_000)
    const chart = new Chart(optionsOf(current, series, currency), [times, ...stack(series)], current)
    const resize = new ResizeObserver(() => chart.setSize({ width: current.clientWidth, height }))
    resize.observe(current)
    return () => {
      resize.disconnect()
      chart.destroy()
    }
  }, [days, currency, series])
  return <div class='chart' ref={element} role='figure' aria-label={say('cost.chart')} />
}
