import { Type, type Static, type TProperties } from '@sinclair/typebox'
import { Id, Money, Nullable, SourceError, Words } from '../common.js'
import { CostQuery, CostSource, metrics, type Metric } from './costs.js'

const { account_id, start_date, end_date, metric, refresh } = CostQuery.properties

export const CostChangeQuery = Type.Object({
  account_id,
  start_date: Type.Optional(Type.Unsafe<string>({
    ...start_date, description: 'First day; 29 days before end_date when absent'
  })),
  end_date: Type.Optional(Type.Unsafe<string>({
    ...end_date, description: 'Last day, included; yesterday when absent, and at the latest: today is not over'
  })),
  against: Words(['before', 'year_before'] as const, {
    default: 'before',
    description: 'What it is compared with: as many days right before (as many months, where the range is whole ' +
      'calendar months), or the same days of the year before'
  }),
  metric,
  refresh
})
export type CostChangeQuery = Static<typeof CostChangeQuery>

const sides = {
  now: Type.String({ description: 'The amount of the range' }),
  before: Type.String({ description: 'The amount of the range it is compared with' }),
  difference: Type.String({ description: 'now minus before, exactly: the differences of a list add up to the one above' })
}
const Compared = <T extends TProperties>(more: T) => Type.Object({ ...more, ...sides })

const ComparedUsage = Compared({ usage_type: Type.String() })
const Others = Compared({ count: Type.Integer() })

export const CostDifference = Compared({
  currency: Type.String(),
  ratio: Nullable(Type.String({ description: 'The difference as a share of before: 0.25 is a quarter more' })),
  charge_types: Type.Array(Compared({ charge_type: Type.String() }), {
    description: 'By RECORD_TYPE as AWS names them: usage, taxes, credits, refunds, fees that are charged once'
  }),
  services: Type.Array(Compared({
    service: Type.String(),
    usage_types: Type.Array(ComparedUsage, { description: 'Those that changed most' }),
    other_usage_types: Nullable(Others)
  }), { description: 'The services that changed most, the largest change first' }),
  other_services: Nullable(Others),
  days: Type.Array(Type.Object({ day: Type.String(), amount: Type.String() }), {
    description: 'What was used on each day of the range, without taxes, credits and fees'
  }),
  largest_step: Nullable(Type.Object({
    day: Type.String(), amount: Type.String(), day_before: Type.String(), difference: Type.String()
  }, { description: 'The day on which use rose most above the day before it; none: it never rose' }))
})
export type CostDifference = Static<typeof CostDifference>

const ComparedRange = Type.Object({
  start_date: Type.String(),
  end_date: Type.String({ description: 'Included' }),
  days: Type.Integer(),
  totals: Type.Array(Money),
  estimated: Type.Boolean({ description: 'AWS may still change the amounts' })
})

export const CostChange = Type.Object({
  account_ids: Type.Array(Id),
  metric: Words<Metric>(metrics),
  now: ComparedRange,
  before: ComparedRange,
  changes: Type.Array(CostDifference, { description: 'One for each currency; empty where nothing can be compared' }),
  not_comparable: Nullable(Type.String({ description: 'Why there are no changes' })),
  adjustments: Type.Array(Type.String(), { description: 'How what was asked for was changed' }),
  source: CostSource,
  partial: Type.Boolean(),
  errors: Type.Array(SourceError)
}, { $id: 'CostChange' })
export type CostChange = Static<typeof CostChange>
