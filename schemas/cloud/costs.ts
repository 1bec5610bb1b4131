import { Type, type Static, type TProperties } from '@sinclair/typebox'
import { Id, Money, Nullable, SourceError, Timestamp, Words } from '../common.js'

const Day = Type.String({ format: 'date' })
export const granularities = ['DAILY', 'MONTHLY'] as const
const metrics = ['UnblendedCost', 'AmortizedCost', 'NetUnblendedCost', 'NetAmortizedCost',
  'BlendedCost'] as const
export type Granularity = typeof granularities[number]
export type Metric = typeof metrics[number]

export const CostQuery = Type.Object({
  account_id: Type.Optional(Type.Unsafe<string>({ ...Id, description: 'Only this cloud account; all when absent' })),
  start_date: Type.Optional(Type.Unsafe<string>({
    ...Day, description: 'First day; the first of the month of end_date when absent'
  })),
  end_date: Type.Optional(Type.Unsafe<string>({ ...Day, description: 'Last day, included; today when absent' })),
  granularity: Type.Optional(Words<Granularity>(granularities, {
    description: 'MONTHLY when absent and the range is longer than 62 days, else DAILY'
  })),
  metric: Words<Metric>(metrics, { default: 'UnblendedCost' }),
  group_by: Type.String({
    default: 'SERVICE',
    pattern: '^(NONE|(SERVICE|LINKED_ACCOUNT|REGION|USAGE_TYPE|RECORD_TYPE|TAG:[^,]{1,128})' +
      '(,(SERVICE|LINKED_ACCOUNT|REGION|USAGE_TYPE|RECORD_TYPE|TAG:[^,]{1,128}))?)$',
    examples: ['SERVICE,REGION'],
    description: 'One or two of SERVICE, LINKED_ACCOUNT, REGION, USAGE_TYPE, RECORD_TYPE, TAG:<key>, separated by a ' +
      'comma; or NONE'
  }),
  forecast: Type.Boolean({ default: false, description: 'Also what the rest of this month is expected to cost' }),
  anomalies: Type.Boolean({ default: false, description: 'Also unusual spending that AWS found in the range' }),
  refresh: Type.Boolean({
    default: false, description: 'Ask AWS anew; honoured every 15 minutes, since AWS charges for it'
  })
})
export type CostQuery = Static<typeof CostQuery>

export const CostGroup = Type.Object({
  keys: Type.Array(Type.String()),
  amount: Type.String(),
  credits: Type.String({ description: 'Credits and refunds that the amount contains, zero or below' }),
  currency: Type.String()
}, { $id: 'CostGroup' })
export type CostGroup = Static<typeof CostGroup>

export const CostPeriod = Type.Object({
  start: Type.String(),
  end_exclusive: Type.String(),
  estimated: Type.Boolean(),
  totals: Type.Array(Money),
  credits: Type.Array(Money, { description: 'Credits and refunds that the totals contain; none: AWS lists none' }),
  groups: Type.Array(CostGroup)
}, { $id: 'CostPeriod' })
export type CostPeriod = Static<typeof CostPeriod>

export const CostForecast = Type.Object({
  status: Words(['ok', 'unavailable', 'not_requested'] as const),
  mean: Nullable(Money),
  low: Nullable(Type.String()),
  high: Nullable(Type.String()),
  until: Nullable(Type.String({ description: 'The last day of the month' })),
  reason: Nullable(Type.String())
}, { $id: 'CostForecast', description: 'What is still to come from today on; not what has been spent' })
export type CostForecast = Static<typeof CostForecast>

export const CostAnomaly = Type.Object({
  id: Type.String(),
  account_id: Id,
  service: Nullable(Type.String()),
  start: Type.String(),
  end: Nullable(Type.String()),
  impact: Money,
  score: Type.String()
}, { $id: 'CostAnomaly' })
export type CostAnomaly = Static<typeof CostAnomaly>

/** Where an answer comes from. */
export const CostSource = Type.Object({
  cached: Type.Boolean(),
  fetched_at: Nullable(Timestamp),
  expires_at: Nullable(Timestamp),
  api_requests: Type.Integer({ description: 'How many requests this answer cost' }),
  estimated_fee_usd: Type.String({ description: 'AWS charges 0.01 for each' }),
  stale: Type.Boolean({ description: 'AWS did not answer, so this is older than it should be' })
})
export type CostSource = Static<typeof CostSource>

export const CostReport = Type.Object({
  account_ids: Type.Array(Id),
  start_date: Type.String(),
  end_date: Type.String({ description: 'Included' }),
  time_period: Type.Object({ start: Type.String(), end_exclusive: Type.String() }, { description: 'As sent to AWS' }),
  granularity: Words<Granularity>(granularities),
  metric: Words<Metric>(metrics),
  estimated: Type.Boolean({ description: 'AWS may still change the amounts' }),
  totals: Type.Array(Money, {
    description: 'What is to be paid, one for each currency; currencies are never mixed. Credits and refunds are in it'
  }),
  credits: Type.Array(Money, {
    description: 'The credits and refunds (RECORD_TYPE Credit and Refund) that the totals contain, below zero: say ' +
      'them beside the total. None: AWS lists none'
  }),
  periods: Type.Array(CostPeriod),
  by_group: Type.Array(Type.Composite([CostGroup, Type.Object({
    share: Type.String({
      description: 'Of what was charged in the same currency, without credits and refunds: 0.25 is a quarter'
    })
  })])),
  forecast: CostForecast,
  anomalies: Nullable(Type.Array(CostAnomaly)),
  adjustments: Type.Array(Type.String(), { description: 'How what was asked for was changed' }),
  source: CostSource,
  partial: Type.Boolean(),
  errors: Type.Array(SourceError)
}, { $id: 'CostReport' })
export type CostReport = Static<typeof CostReport>

/** What one account answered: the part that is kept. */
export interface CostSlice {
  periods: CostPeriod[]
  forecast: CostForecast
  anomalies: CostAnomaly[] | null
  /** The keys of tags; null where they were not asked for. */
  tags: string[] | null
}

export const CostTagQuery = Type.Pick(CostQuery, ['account_id', 'start_date', 'end_date'])
export type CostTagQuery = Static<typeof CostTagQuery>

export const CostTags = Type.Object({
  keys: Type.Array(Type.String(), {
    description: 'Sorted; of what cost something, as far as they are activated for costs in AWS'
  }),
  account_ids: Type.Array(Id),
  start_date: Type.String(),
  end_date: Type.String({ description: 'Included' }),
  adjustments: Type.Array(Type.String(), { description: 'How what was asked for was changed' }),
  source: CostSource,
  partial: Type.Boolean(),
  errors: Type.Array(SourceError)
}, { $id: 'CostTags' })
export type CostTags = Static<typeof CostTags>

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
