import { Type, type Static } from '@sinclair/typebox'
import { Id, Nullable, page, PageQuery, Timestamp, Words } from '../common.js'

export const sentenceStates = ['supported', 'unsupported', 'uncited', 'none'] as const

export const ReportSentence = Type.Object({
  text: Type.String({ description: 'As the assistant wrote it, without its citations, with the line break after it' }),
  status: Words(sentenceStates, {
    description: 'supported: each number and name is in a result that the sentence cites, each number in the row, the ' +
      'month and the currency that the sentence names, or reckoned from such numbers; unsupported: `missing` is not; ' +
      'uncited: it has numbers or names, and cites nothing; none: nothing in it can be checked'
  }),
  tool_call_ids: Type.Array(Id, { description: 'The calls whose results it cites' }),
  cites_alert: Type.Boolean({ description: 'It cites what the alert states' }),
  missing: Type.Array(Type.String(), {
    description: 'Numbers and names that no cited result has there, and a word such as `rose` where the numbers fell'
  })
}, { $id: 'ReportSentence' })
export type ReportSentence = Static<typeof ReportSentence>

const summary = {
  id: Id,
  trigger_id: Id,
  firing_id: Id,
  session_id: Id,
  run_id: Id,
  title: Type.String(),
  unsupported: Type.Integer({ description: 'How many sentences are unsupported or uncited' }),
  resolved_at: Nullable(Timestamp),
  created_at: Timestamp
}

export const ReportSummary = Type.Object(summary, { $id: 'ReportSummary' })
export const ReportPage = page(ReportSummary, 'ReportPage')

export const Report = Type.Object({
  ...summary,
  alert: Type.Unknown({ description: 'What its sender sent, as data from outside; null of a run that no alert began' }),
  sentences: Type.Array(ReportSentence),
  proposals: Type.Array(Id, { description: 'Calls that the run left for approval' })
}, { $id: 'Report' })

export const ListReports = Type.Object({
  ...PageQuery, trigger_id: Type.Optional(Id)
})
export const ReportParams = Type.Object({ report_id: Id })
