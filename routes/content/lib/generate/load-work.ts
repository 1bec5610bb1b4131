import { listStyleRules } from '../../../../db/content/styles.js'
import { findVersion } from '../../../../db/content/versions.js'
import type { OutputRow } from '../../../../db/content/generation-outputs.js'
import type { BriefChannel, ContentBody } from 'steward-prose-engine/schemas'
import { brandOf } from '../brands/read-brand.js'
import type { Deps } from './deps.js'
import { GenerationFailed } from './model/failures.js'
import { groundsOf } from 'steward-prose-engine/revision'
import { materialPrompt, systemPrompt, wordsOf } from './model/prompts.js'
import type { Work } from './model/work.js'
import type { GenerationState } from './state.js'

const requireBody = async (deps: Deps, workspaceId: string, id: string, version: number): Promise<ContentBody> => {
  const found = await findVersion(deps.db, workspaceId, id, version)
  if (!found) throw new GenerationFailed('content_deleted', 'The record is not there any more')
  return found.body
}

const lengthOf = ({ row }: GenerationState, { channel, network }: OutputRow): Pick<BriefChannel, 'length' | 'words'> =>
  [...row.request.channels ?? [], ...row.brief?.channels ?? []]
    .find((one) => one.channel === channel && (one.network ?? null) === network) ?? { length: 'medium' }

/** Loads the inputs of an output as of the request, so that a restart works with the same. */
export const loadWork = async (deps: Deps, state: GenerationState, output: OutputRow, step: Work['step']):
Promise<Work> => {
  const { workspace_id: workspaceId, brief, request, project_id, brand_version, plan } = state.row
  const { channel, network, locale, variant, source_id: sourceId, source_version: sourceVersion } = output
  const { settings: brand } = await brandOf(deps.db, workspaceId, project_id, brand_version)
  const styles = await listStyleRules(deps.db, workspaceId, project_id)
  const base = await requireBody(deps, workspaceId, output.content_id, output.base_version)
  const source = sourceId === null ? null : await requireBody(deps, workspaceId, sourceId, sourceVersion ?? 1)
  const isRevision = request.mode === 'rewrite' || request.mode === 'sections' || request.mode === 'repair'
  const sources = [...source ? [source] : [], ...isRevision ? [base] : []]
  return {
    output,
    brief,
    base,
    source,
    measure: { channel, network, locale, brand, brand_version, styles, grounds: groundsOf(brief, sources) },
    request: {
      brief,
      channel,
      network,
      variant,
      words: wordsOf(lengthOf(state, output)),
      instructions: request.instructions ?? ''
    },
    system: systemPrompt(brand, channel, locale),
    material: materialPrompt(brief, sources),
    maxRounds: plan?.budget.max_repair_rounds ?? 0,
    targets: request.mode === 'sections' ? request.targets ?? [] : [],
    step,
    append: (event) => state.write({ events: [event] })
  }
}
