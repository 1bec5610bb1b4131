import { Link } from 'wouter-preact'
import { formatMoney } from '../../parts/money'
import { Table } from '../../parts/table'
import type { Part } from './breakdown'
import { restColor } from './colors'
import { groupName } from './group-name'
import { formatChange } from './figures'
import { formatDay } from './range'
import type { Series } from './series'
import { locale } from '../../texts/language'
import { say } from '../../texts/say'

const shareIn = (tag: string) => new Intl.NumberFormat(tag,
  { style: 'percent', minimumFractionDigits: 1, maximumFractionDigits: 1 })

const moneyOf = ({ sum, currency }: Part): string => formatMoney({ amount: String(sum), currency })

/** @returns the heading of the groups; that of a tag is its name */
const headingOf = (by: string): string =>
  by === 'Service' ? say('cost.service') : by === 'Usage' ? say('cost.usage') : by

const labelOf = (by: string): string => {
  if (by === 'Service') return say('cost.by.service')
  return by === 'Usage' ? say('cost.by.usage') : say('cost.by', { tag: by.toLowerCase() })
}

interface Props {
  by: string
  parts: Part[]
  /** The same without today, which is not over: to compare with. */
  whole: Part[]
  series: Series[]
  before: Part[] | undefined
  /** Where a name leads: to what is below it. */
  hrefOf: ((name: string) => string) | undefined
}

const Name = ({ name, hrefOf }: { name: string, hrefOf: Props['hrefOf'] }) => name === '' || !hrefOf
  ? <>{groupName(name)}</>
  : <Link href={hrefOf(name)}>{groupName(name)}</Link>

const numbers = ['cost.cost', 'cost.share', 'cost.before', 'cost.change'] as const

/** What recurs, dearest first, beside what it was in the days before. */
export const Groups = ({ by, parts, whole, series, before, hrefOf }: Props) => {
  const colors = new Map(series.map(({ name, color }) => [name, color]))
  const share = shareIn(locale())
  const total = parts.reduce((sum, part) => sum + part.sum, 0)
  const then = ({ name, currency }: Part) =>
    before?.find((part) => !part.once && part.name === name && part.currency === currency)
  return (
    <section class='card flush' aria-label={labelOf(by)}>
      <Table
        columns={[headingOf(by), ...numbers.map((key) => ({ numeric: say(key) }))]}
      >
        {parts.map((part, index) => {
          const earlier = then(part)
          return (
            <tr key={`${part.name} ${part.currency}`}>
              <td><span class='swatch' style={{ background: colors.get(part.name) ?? restColor }} />
                <Name name={part.name} hrefOf={hrefOf} />
              </td>
              <td class='numeric'>{moneyOf(part)}</td>
              <td class='numeric'>{share.format(total === 0 ? 0 : part.sum / total)}</td>
              <td class='numeric'>{earlier ? moneyOf(earlier) : '–'}</td>
              <td class='numeric'>
                {earlier ? formatChange(whole[index]?.sum ?? 0, earlier.sum) ?? '–' : '–'}
              </td>
            </tr>
          )
        })}
      </Table>
    </section>
  )
}

const formatDays = ({ values }: Part, days: readonly string[]): string =>
  days.filter((_, index) => values[index] !== 0).map(formatDay).join(', ')

/** What was charged on single days, apart from the chart: a tax of a month would dwarf the days beside it. */
export const SingleCharges = ({ by, parts, days }: { by: string, parts: Part[], days: readonly string[] }) =>
  <section class='card flush' aria-label={say('cost.once')}>
    <header><h2>{say('cost.once')}</h2><span class='small muted'>{say('cost.once.apart')}</span></header>
    <Table columns={[headingOf(by), say('cost.on'), { numeric: say('cost.cost') }]}>
      {parts.map((part) => <tr key={`${part.name} ${part.currency}`}>
        <td>{groupName(part.name)}</td><td>{formatDays(part, days)}</td><td class='numeric'>{moneyOf(part)}</td>
      </tr>)}
    </Table>
  </section>
