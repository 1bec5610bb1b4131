import { Type, type Static } from '@sinclair/typebox'
import { maxInteger, Nullable, Words } from './fields.js'

export const diffGranularities = ['requirement', 'line', 'word'] as const

export const DiffSpecQuery = Type.Object({
  from: Type.Optional(Type.Integer({
    minimum: 1, maximum: maxInteger, description: 'Default: the version that `to` was made from'
  })),
  to: Type.Optional(Type.Integer({ minimum: 1, maximum: maxInteger, description: 'Default: the current one' })),
  granularity: Words(diffGranularities, {
    default: 'requirement', description: 'requirement: item by item, of the documents; line, word: of their Markdown'
  })
})
export type DiffSpecQuery = Static<typeof DiffSpecQuery>

const between = {
  from: Nullable(Type.Integer({ description: 'null: nothing was before, so everything is new' })), to: Type.Integer()
}

export const SpecItemChange = Type.Object({
  target: Type.String({ description: 'An id such as FR-003 or US-1, or sections.<key>' }),
  change: Words(['added', 'removed', 'changed'], { description: 'A requirement that was retired is removed' }),
  title: Type.String(),
  fields: Type.Array(Type.Object({
    field: Type.String(),
    before: Type.Unknown({ description: 'null where the item was not' }),
    after: Type.Unknown({ description: 'null where the item is gone' })
  }))
}, { $id: 'SpecItemChange' })
export type SpecItemChange = Static<typeof SpecItemChange>

const SpecItemDiff = Type.Object({
  granularity: Type.Literal('requirement'),
  ...between,
  added: Type.Integer(),
  removed: Type.Integer(),
  changed: Type.Integer(),
  unchanged: Type.Integer({ description: 'Requirements, stories and other items; sections are not counted' }),
  items: Type.Array(SpecItemChange)
}, { $id: 'SpecItemDiff' })

export const SpecDiffHunk = Type.Object({
  from_start: Type.Integer({ description: 'Its first line in `from`, counted from 1' }),
  from_lines: Type.Integer(),
  to_start: Type.Integer(),
  to_lines: Type.Integer(),
  lines: Type.Array(Type.String(), { description: 'Each begins with a space, + or -' })
}, { $id: 'SpecDiffHunk' })
export type SpecDiffHunk = Static<typeof SpecDiffHunk>

const SpecLineDiff = Type.Object({
  granularity: Type.Literal('line'),
  ...between,
  hunks: Type.Array(SpecDiffHunk),
  unified: Type.String({ description: 'The same as a patch; empty where nothing differs' })
}, { $id: 'SpecLineDiff' })

export const SpecDiffPart = Type.Object({
  op: Words(['equal', 'insert', 'delete']), text: Type.String()
}, { $id: 'SpecDiffPart' })
export type SpecDiffPart = Static<typeof SpecDiffPart>

const SpecWordDiff = Type.Object({
  granularity: Type.Literal('word'),
  ...between,
  parts: Type.Array(SpecDiffPart, { description: 'Without the deleted they are `to`, without the inserted `from`' })
}, { $id: 'SpecWordDiff' })

export const SpecDiff = Type.Union([SpecItemDiff, SpecLineDiff, SpecWordDiff],
  { $id: 'SpecDiff', discriminator: { propertyName: 'granularity' } })
export type SpecDiff = Static<typeof SpecDiff>
export type SpecItemDiff = Static<typeof SpecItemDiff>
