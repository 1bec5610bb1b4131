import { useMemo } from 'preact/hooks'
import { api, body, type Schemas } from '../../api/client'
import { useResource, type Resource } from '../../api/resource'
import { breakDown, creditsOf, type Part } from './breakdown'
import { dayOf, daysBefore, daysOf, monthStart, shiftDay, type Days, type Range } from './range'
import { viewOf, type Filters, type View } from './view'

type Report = Schemas['CostReport']

export interface Costs {
  report: Report
  today: string
  days: string[]
  parts: Part[]
  /** Credits and refunds that the parts contain. */
  credits: Schemas['Money'][]
  /** Everything of this month until yesterday, whatever is filtered: the forecast counts from today on. */
  spent: Part[]
}

const all = { keep: () => true, nameOf: () => '' }

/** From the first of the month at least: what the month has cost belongs to its forecast. */
const toCosts = (report: Report, { start, end }: Days, today: string, view: View): Costs => {
  const shown = report.periods.filter(({ start: day }) => day >= start && day <= end)
  const month = report.periods.filter(({ start: day }) => day >= monthStart(today) && day < today)
  return {
    report,
    today,
    days: shown.map(({ start: day }) => day),
    parts: breakDown(shown, view),
    credits: creditsOf(shown, view),
    spent: breakDown(month, all)
  }
}

/** The costs of a range, read once for all its figures: AWS charges for each request. */
export const useCosts = (range: Range, account: string, filters: Filters): Resource<Costs> => {
  const today = dayOf(Date.now())
  const days = daysOf(range, today)
  const { group_by } = viewOf(filters)
  const resource = useResource([range, account, group_by], (signal) => body(api.GET('/cloud/costs', {
    params: {
      query: {
        start_date: days.start < monthStart(today) ? days.start : monthStart(today),
        end_date: today,
        granularity: 'DAILY',
        group_by,
        forecast: true,
        ...(account === '' ? {} : { account_id: account })
      }
    },
    signal
  })))
  const report = resource.data
  const { service, tag, value } = filters
  const data = useMemo(() => report && toCosts(report, days, today, viewOf(filters)), [report, service, tag, value])
  return { ...resource, data }
}

/** Parts of the days before, as many as are over. Undefined while they are not known. */
export const useBefore = (range: Range, account: string, filters: Filters): Part[] | undefined => {
  const today = dayOf(Date.now())
  const { start, end } = daysOf(range, today)
  const whole = { start, end: end === today ? shiftDay(today, -1) : end }
  const view = viewOf(filters)
  const { group_by } = view
  const isKnown = whole.start <= whole.end
  const before = daysBefore(whole)
  const { data } = useResource([range, account, group_by], async (signal) => isKnown
    ? body(api.GET('/cloud/costs', {
      params: {
        query: {
          start_date: before.start,
          end_date: before.end,
          granularity: 'DAILY',
          group_by,
          ...(account === '' ? {} : { account_id: account })
        }
      },
      signal
    }))
    : undefined)
  return data && !data.partial ? breakDown(data.periods, view) : undefined
}
