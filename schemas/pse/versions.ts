import { Type, type Static } from '@sinclair/typebox'
import { Id, Nullable, PageQuery, Timestamp, Words, page, VersionNumber, maxInteger } from '../common.js'
import { CheckReport, NotTaken, notTakenClasses, SpecDocument } from 'steward-spec-engine/schemas'

export const versionOrigins = ['generated', 'edited', 'merged', 'imported', 'restored'] as const

const known = {
  session_id: Id,
  version: Type.Integer({ minimum: 1 }),
  parent_version: Nullable(Type.Integer()),
  generation_id: Nullable(Id),
  origin: Words(versionOrigins),
  settled_version: Nullable(Type.Integer({
    description: 'The version that was approved or imported last when this one was made'
  })),
  inputs_seq: Type.Integer({ description: 'It was made of the inputs up to this one' }),
  content_hash: Type.String({ description: 'SHA-256 of the document as stored' }),
  created_by: Id,
  created_at: Timestamp
}

export const SpecVersionSummary = Type.Object({
  ...known,
  engine: Type.String(),
  requirements: Type.Integer({ description: 'Active ones' }),
  open_questions: Type.Integer(),
  check_verdict: Nullable(Words(['pass', 'pass_with_warnings', 'fail']))
}, { $id: 'SpecVersionSummary' })
export type SpecVersionSummary = Static<typeof SpecVersionSummary>
export const SpecVersionPage = page(SpecVersionSummary, 'SpecVersionPage')

export const SpecReview = Type.Object({
  rule_id: Type.String({ description: 'STD:<key>:<rule_id>, a review rule of a standard' }),
  user_id: Id,
  at: Timestamp
}, { $id: 'SpecReview', description: 'A person has answered the question of the rule with yes' })
export type SpecReview = Static<typeof SpecReview>

export const SpecVersion = Type.Object({
  ...known, document: SpecDocument, checks: Nullable(CheckReport), reviews: Type.Array(SpecReview)
}, { $id: 'SpecVersion', description: 'A version never changes; its checks are made again when waivers do' })
export type SpecVersion = Static<typeof SpecVersion>

export const SpecVersionParams = Type.Object({ session_id: Id, version: VersionNumber })
export const ListSpecVersions = Type.Object(PageQuery)

export const ListNotTaken = Type.Object({
  ...PageQuery,
  class: Type.Optional(Words(notTakenClasses, { description: 'Only the sentences of this class' })),
  all: Type.Optional(Type.Boolean({ description: 'Also the sentences that have no normative verb' }))
})
export const NotTakenPage = page(NotTaken, 'NotTakenPage')

export const specLayouts = ['markdown', 'json', 'spec-kit', 'kiro', 'openspec'] as const
/** sarif contains the findings of the checks, not the spec. */
export const exportLayouts = [...specLayouts, 'sarif'] as const
export type ExportLayout = typeof exportLayouts[number]
export const ExportFrom = Type.Optional(Type.Integer({
  minimum: 0,
  maximum: maxInteger,
  description: 'For openspec: the version that its deltas compare with; 0 = none, so that everything is added. ' +
    'Default: the one that was approved or imported last before'
}))
export const FeatureNumber = Type.Optional(Type.Integer({
  minimum: 1,
  maximum: 999_999,
  description: 'For spec-kit: the number of the feature\'s folder. Default: 1; in a pull request the one that the ' +
    'repository has for it, else the next'
}))
export const ExportQuery = Type.Object({
  layout: Words(exportLayouts, { default: 'markdown' }),
  version: Type.Optional(Type.Integer({ minimum: 1, maximum: maxInteger, description: 'Default: the current one' })),
  from: ExportFrom,
  feature_number: FeatureNumber,
  for_pull: Type.Optional(Type.Boolean({
    description: 'As a pull request takes them: for openspec one change, and without the standards'
  }))
})
export type ExportInput = Static<typeof ExportQuery>

export const ExportedFiles = Type.Object({
  version: Type.Integer(),
  files: Type.Array(Type.Object({ path: Type.String(), content: Type.String() }))
}, { $id: 'ExportedFiles' })
