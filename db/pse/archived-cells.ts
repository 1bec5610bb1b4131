import { Type } from '@sinclair/typebox'
import { artifacts, CheckReport, SpecDocument } from 'steward-spec-engine/schemas'
import { Nullable, Words } from '../../schemas/common.js'
import { GenerateSpec, Generation, GenerationEstimate } from '../../schemas/pse/generations.js'
import { AttachedStandard, SpecOptions } from '../../schemas/pse/sessions.js'
import { StandardContent } from '../../schemas/pse/standards.js'
import { SpecReview } from '../../schemas/pse/versions.js'

const Texts = Type.Array(Type.String())
const Failure = Type.Object({ code: Type.String(), message: Type.String() })
const Pinned = Type.Array(Type.Object({ standard_id: Type.String(), version: Type.Integer() }))

/** What each JSON column of specs may have in an archive; `db/archived-cells.ts` has those of the other areas. */
export const specCells = {
  pse_session: {
    artifacts: Type.Array(Words(artifacts)),
    standards: Type.Array(AttachedStandard),
    options: SpecOptions,
    blocking: Texts
  },
  pse_input: {
    source: Type.Record(Type.String(), Type.Unknown()),
    about: Type.Object({
      question_id: Type.Optional(Type.String()),
      rule_id: Type.Optional(Type.String()),
      target: Type.Optional(Type.String()),
      expires_at: Type.Optional(Nullable(Type.String()))
    }),
    detail: Type.Unknown()
  },
  pse_chunk: { heading_path: Texts },
  pse_version: { document: SpecDocument, standards: Pinned, checks: CheckReport, reviews: Type.Array(SpecReview) },
  pse_generation: {
    request: GenerateSpec,
    standards: Pinned,
    estimate: GenerationEstimate,
    warnings: Texts,
    suggestions: Generation.properties.suggestions,
    error: Failure,
    proposal: SpecDocument
  },
  pse_step: { result: Type.Unknown(), error: Failure },
  pse_standard_version: { content: StandardContent }
}
