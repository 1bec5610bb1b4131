import { useSignal } from '@preact/signals'
import { api, body, type Schemas } from '../../api/client'
import { useResource } from '../../api/resource'
import { formatMoney } from '../../parts/money'
import { Loaded } from '../../parts/states'
import { Table } from '../../parts/table'
import { PartialNotice } from '../../parts/sources'
import { groupName } from './group-name'
import { dayOf, daysOf, formatDay, shiftDay, type Days, type Range } from './range'
import { say } from '../../texts/say'

type Change = Schemas['CostChange']
type Difference = Change['changes'][number]
interface Sides { now: string, before: string, difference: string }

const Amounts = ({ of, currency }: { of: Sides, currency: string }) => <>
  {[of.before, of.now].map((amount, at) => <td key={at} class='numeric'>{formatMoney({ amount, currency })}</td>)}
  <td class='numeric'>{Number(of.difference) > 0 && '+'}{formatMoney({ amount: of.difference, currency })}</td>
</>

const columnsOf = (first: string) => [first, ...(['cost.before', 'cost.cost', 'cost.difference'] as const)
  .map((key) => ({ numeric: say(key) }))]

const Services = ({ of: { services, other_services: others, currency } }: { of: Difference }) =>
  <Table columns={columnsOf(say('cost.service'))}>
    {services.map((service) => <tr key={service.service}>
      <td>
        {groupName(service.service)}
        {service.usage_types.length > 1 && <details class='small'>
          <summary>{say('cost.by.usage')}</summary>
          <ul>{service.usage_types.map((one) => <li key={one.usage_type}>
            {groupName(one.usage_type)}: {Number(one.difference) > 0 && '+'}
            {formatMoney({ amount: one.difference, currency })}
          </li>)}
          </ul>
        </details>}
      </td>
      <Amounts of={service} currency={currency} />
    </tr>)}
    {others && <tr><td>{say('cost.allOthers')}</td><Amounts of={others} currency={currency} /></tr>}
  </Table>

const ChargeTypes = ({ of: { charge_types: types, currency } }: { of: Difference }) =>
  <Table columns={columnsOf(say('cost.chargeType'))}>
    {types.map((type) => <tr key={type.charge_type}>
      <td>{groupName(type.charge_type)}</td><Amounts of={type} currency={currency} />
    </tr>)}
  </Table>

/** @returns what happened, in a sentence: the sums, and the day of the largest step */
const sumUp = ({ currency, now, before, difference, largest_step: step }: Difference): string => {
  const money = (amount: string) => formatMoney({ amount, currency })
  const sums = { now: money(now), before: money(before), by: money(difference.replace(/^-/, '')) }
  const sum = Number(difference) < 0
    ? say('cost.explain.fell', sums)
    : Number(difference) > 0 ? say('cost.explain.rose', sums) : say('cost.explain.same', { now: sums.now })
  if (!step) return sum
  return `${sum} ${say('cost.explain.step', { day: formatDay(step.day), by: money(step.difference) })}`
}

const Explained = ({ of }: { of: Change }) => <>
  <p class='small muted'>{say('cost.explain.ranges', {
    from: formatDay(of.now.start_date),
    to: formatDay(of.now.end_date),
    then: formatDay(of.before.start_date),
    until: formatDay(of.before.end_date)
  })}
  </p>
  <PartialNotice of={of} />
  {of.not_comparable && <p>{of.not_comparable}</p>}
  {of.changes.map((change) => <div key={change.currency}>
    <p>{sumUp(change)}</p>
    <Services of={change} />
    <ChargeTypes of={change} />
  </div>)}
</>

const Answer = ({ days: { start, end }, account }: { days: Days, account: string }) => {
  const answer = useResource([start, end, account], (signal) => body(api.GET('/cloud/costs/changes', {
    params: { query: { start_date: start, end_date: end, ...(account === '' ? {} : { account_id: account }) } },
    signal
  })))
  return <Loaded of={answer}>{(change) => <Explained of={change} />}</Loaded>
}

interface Props { range: Range, account: string }

/** Where the difference to the days before comes from; asked for by a button, since AWS charges for it. */
export const CostChange = ({ range, account }: Props) => {
  const isOpen = useSignal(false)
  const today = dayOf(Date.now())
  const { start, end } = daysOf(range, today)
  const days = { start, end: end === today ? shiftDay(today, -1) : end }
  // On the first of a month no day of it is over.
  if (days.end < days.start) return null
  return (
    <section class='card' aria-label={say('cost.explain')}>
      <header><h2>{say('cost.explain')}</h2></header>
      {isOpen.value
        ? <Answer days={days} account={account} />
        : <p>
          <button type='button' onClick={() => { isOpen.value = true }}>{say('cost.explain.button')}</button>
          {' '}<span class='small muted'>{say('cost.explain.fee')}</span>
        </p>}
    </section>
  )
}
