import { problemOf } from '../../../../lib/http/problem.js'
import type { Principal } from '../../../../lib/security/principal.js'
import type { ConfirmRequest, ConfirmResult } from '../../../../schemas/agent/confirmations.js'
import { ApiError, type Problem } from '../../../../schemas/errors.js'
import { requireQuestion } from './decide.js'
import { HighRiskAlone } from '../errors.js'
import type { OutsiderDeps } from './report-outsider.js'

export interface DecidedItem { confirmation_id: string, result: ConfirmResult | null, problem: Problem | null }

/** Nobody reads the tenth of ten cards as the first. @throws high_risk_alone */
const requireAlone = async (deps: OutsiderDeps, principal: Principal, body: ConfirmRequest): Promise<void> => {
  const { approved, confirmation_id, input_digest: digest } = body
  if (!approved) return
  const { risk, status, draft } = await requireQuestion(deps, principal, confirmation_id)
  // An edit may be of another risk than the question: what is approved is the plan of the digest.
  const shown = draft !== null && draft.input_digest === digest ? draft.risk : risk
  if (shown === 'high' && status === 'pending') throw HighRiskAlone()
}

/**
 * Takes several decisions, one after the other, each by `decideOne`.
 * @returns for each its result, or its problem; a failure of Steward's own ends the rest
 */
export const decideEach = async (deps: OutsiderDeps, principal: Principal, requestId: string,
  decisions: readonly ConfirmRequest[], decideOne: (body: ConfirmRequest) => Promise<ConfirmResult>):
Promise<DecidedItem[]> => {
  const items: DecidedItem[] = []
  for (const body of decisions) {
    const { confirmation_id } = body
    try {
      if (decisions.length > 1) await requireAlone(deps, principal, body)
      items.push({ confirmation_id, result: await decideOne(body), problem: null })
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      items.push({ confirmation_id, result: null, problem: problemOf(error, requestId) })
    }
  }
  return items
}
