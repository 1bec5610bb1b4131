import { Type, type Static } from '@sinclair/typebox'
import { Id, SourceError } from '../common.js'
import { CostQuery, CostSource } from './costs.js'

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
