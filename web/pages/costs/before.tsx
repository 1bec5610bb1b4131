import { api, body, type Schemas } from '../../api/client'
import { useResource } from '../../api/resource'
import { formatMoney } from '../../parts/money'
import { daysBefore } from './range'

type Report = Schemas['CostReport']

const percent = new Intl.NumberFormat(undefined,
  { style: 'percent', maximumFractionDigits: 0, signDisplay: 'exceptZero' })

/** Against as many days before; not where currencies are mixed, or one of the two lacks an account. */
export const Before = ({ report }: { report: Report }) => {
  const { start_date: start, end_date: end, totals: [total, ...others], partial } = report
  const { data } = useResource([start, end], (signal) => body(api.GET('/cloud/costs', {
    params: { query: { ...daysBefore(start, end), granularity: 'DAILY', group_by: 'NONE' } }, signal
  })).catch(() => undefined))
  const before = data?.totals[0]
  if (!data || !total || !before || others.length > 0 || data.totals.length > 1 || partial || data.partial) return null
  const [now, then] = [Number(total.amount), Number(before.amount)]
  if (before.currency !== total.currency || then <= 0) return null
  return (
    <span class='small muted'>
      {percent.format(now / then - 1)} against {formatMoney(before)} from {data.start_date} to {data.end_date}
    </span>
  )
}
