import { useMemo } from 'preact/hooks'
import { ChartColumn } from '../../parts/icons'
import { PageHead } from '../../parts/page-head'
import { PartialNotice } from '../../parts/sources'
import { Empty, Loaded } from '../../parts/states'
import { useChoice, useFilters } from '../../shell/location'
import type { Part } from './breakdown'
import { CostChange } from './change'
import { CostChart } from './chart'
import { csvOf } from './csv'
import { Figures, wholeDays } from './figures'
import { CostFilters } from './filters'
import { Groups, SingleCharges } from './groups'
import { ranges, type Range } from './range'
import { seriesOf } from './series'
import { useBefore, useCosts, type Costs } from './use-costs'
import { viewOf, type Filters } from './view'
import './costs.css'
import { say } from '../../texts/say'

const NoCosts = () => <div class='card'>
  <Empty icon={ChartColumn} title={say('cost.none')}>
    <p>{say('cost.none.words')}</p>
  </Empty>
</div>

/** @returns the address of what lies below a name of the shown groups */
const hrefOf = (filters: Filters) => {
  const { below } = viewOf(filters)
  if (!below) return undefined
  return (name: string) => {
    const query = new URLSearchParams(location.hash.split('?')[1])
    query.set(below, name)
    return `/costs?${query.toString()}`
  }
}

interface ShownProps { costs: Costs, filters: Filters, before: Part[] | undefined }

const Shown = ({ costs, filters, before }: ShownProps) => {
  const { days, parts } = costs
  const { by } = viewOf(filters)
  const [once, daily] = [parts.filter((part) => part.once), parts.filter((part) => !part.once)]
  const currency = daily[0]?.currency ?? 'USD'
  // The chart is drawn anew whenever these change.
  const series = useMemo(() => seriesOf(by, daily.filter((part) => part.currency === currency)), [parts])
  return (
    <>
      <Figures costs={costs} before={before} isFiltered={filters.service !== '' || filters.tag !== ''} />
      {days.length > 1 && daily.length > 0 && <section class='card' aria-label={say('cost.byDay')}>
        <CostChart days={days} currency={currency} series={series} />
      </section>}
      <Groups
        by={by} parts={daily} whole={wholeDays(daily, days, costs.today)} series={series} before={before}
        hrefOf={hrefOf(filters)}
      />
      {once.length > 0 && <SingleCharges by={by} parts={once} days={days} />}
    </>
  )
}

/** Saves what is shown, by day. */
const Export = ({ costs: { days, parts } }: { costs: Costs }) => {
  const save = () => {
    const url = URL.createObjectURL(new Blob([csvOf(days, parts)], { type: 'text/csv' }))
    const download = `costs-${days[0]}-to-${days.at(-1)}.csv`
    const link = Object.assign(document.createElement('a'), { href: url, download })
    link.click()
    URL.revokeObjectURL(url)
  }
  return <button type='button' onClick={save}>{say('cost.csv')}</button>
}

/** @returns what a filter may be set to, as far as the report names it */
const namesAt = (costs: Costs | undefined, position: 0 | 1): string[] =>
  costs?.report.by_group.map(({ keys }) => keys[position] ?? '') ?? []

export default function CostsPage () {
  const range = useChoice<Range>('days', ranges, '30')
  const cells = { range, ...useFilters(['account', 'service', 'tag', 'value']) }
  const filters: Filters = { service: cells.service.value, tag: cells.tag.value, value: cells.value.value }
  const costs = useCosts(range.value, cells.account.value, filters)
  const before = useBefore(range.value, cells.account.value, filters)
  const byTag = filters.tag !== ''
  return (
    <div class='page'>
      <PageHead title={say('nav.costs')} guide='web-client' actions={costs.data && <Export costs={costs.data} />}>
        {say('cost.words')}
      </PageHead>
      <CostFilters
        cells={cells} services={namesAt(costs.data, byTag ? 1 : 0)} values={byTag ? namesAt(costs.data, 0) : []}
      />
      <PartialNotice of={costs.data?.report} />
      <Loaded of={costs}>{(data) => data.parts.length === 0
        ? <NoCosts />
        : <Shown costs={data} filters={filters} before={before} />}
      </Loaded>
      <CostChange range={range.value} account={cells.account.value} />
    </div>
  )
}
