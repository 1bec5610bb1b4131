import { findEnabled, listMemberships, listRoles } from '../../../../db/account/policies.js'
import { listDecisions, listForeignReads } from '../../../../lib/policies/past-decisions.js'
import { readClock } from '../../../../db/clock.js'
import type { PolicySet } from '../../../../lib/policies/compile.js'
import { toInput } from '../../../../lib/policies/examples.js'
import { compile } from '../../../../lib/policies/in-process.js'
import { judge } from '../../../../lib/policies/judge.js'
import { countCases, replay, type History } from '../../../../lib/policies/replay.js'
import { paginate } from '../../../../lib/http/paginate.js'
import type { Principal } from '../../../../lib/security/principal.js'
import type { PolicyRequest, PolicyVerdict, ReplayCase, ReplayPolicies } from '../../../../schemas/account/policies.js'
import { NotFound } from '../../../../schemas/errors.js'
import { UnknownTool } from '../errors.js'
import { keepReplay, readDraft, readVocabulary, requireDraft, type Deps, type Vocabulary } from './policies.js'

/** The newest, so that a replay ends in a few seconds. */
const maxDecisions = 5_000

const readHistory = async ({ db, tools }: Deps, workspaceId: string, { find }: Vocabulary): Promise<History> => {
  const decisions = await listDecisions(db, workspaceId, maxDecisions)
  const sessions = [...new Set(decisions.map(({ session_id: id }) => id))]
  const [reads, memberships, roles] = await Promise.all([
    listForeignReads(db, workspaceId, sessions, tools.foreign()), listMemberships(db, workspaceId),
    listRoles(db, workspaceId)
  ])
  return { decisions, reads, memberships, roles, find }
}

const isListed = (outcome: ReplayPolicies['outcome']) => (one: ReplayCase): boolean =>
  outcome === undefined ? one.outcome !== 'unchanged' : one.outcome === outcome

/**
 * Judges what people have decided here by the draft, which may be enabled then.
 * @returns how many cases there are of each kind, and a page of them
 * @throws not_found without a draft, policies_invalid, stale_draft, invalid_cursor
 */
export const replayPolicies = async (deps: Deps, principal: Principal, query: ReplayPolicies) => {
  const { workspace_id: workspaceId } = principal
  const vocabulary = await readVocabulary(deps, workspaceId)
  const { row: { digest }, set } = await readDraft(await requireDraft(deps, workspaceId), vocabulary)
  const cases = await replay(set, await readHistory(deps, workspaceId, vocabulary))
  const counts = countCases(cases)
  await keepReplay(deps, workspaceId, digest, counts)
  const listed = cases.filter(isListed(query.outcome))
  const page = await paginate(deps, {
    principal, list: 'policy-replay', filter: { digest, outcome: query.outcome ?? null }, query
  }, async (after, limit) =>
    listed.filter(({ confirmation_id: id }) => !after || id < String(after[0])).slice(0, limit),
  ({ confirmation_id: id }) => [id])
  return { digest, counts, ...page }
}

const setOf = async (deps: Deps, workspaceId: string, of: 'enabled' | 'draft', vocabulary: Vocabulary):
Promise<{ set: PolicySet, version: number | null }> => {
  if (of === 'draft') {
    return { set: (await readDraft(await requireDraft(deps, workspaceId), vocabulary)).set, version: null }
  }
  const enabled = await findEnabled(deps.db, workspaceId)
  const compiled = enabled && await compile(enabled.text, enabled.groups)
  if (compiled?.kind !== 'set') throw NotFound('No policies are enabled')
  return { set: compiled.set, version: enabled?.version ?? null }
}

/** @returns what the policies say of a request. @throws not_found without such policies, unknown_tool */
export const evaluatePolicies = async (deps: Deps, workspaceId: string, of: 'enabled' | 'draft',
  request: PolicyRequest): Promise<PolicyVerdict> => {
  const vocabulary = await readVocabulary(deps, workspaceId)
  const { set, version } = await setOf(deps, workspaceId, of, vocabulary)
  const tool = vocabulary.find(request.tool)
  if (!tool) {
    const message = `no tool that writes is called ${request.tool}`
    throw UnknownTool(message, { errors: [{ pointer: '/request/tool', code: 'unknown_tool', message }] })
  }
  return judge(set, version, toInput(request, tool, vocabulary.groups, await readClock(deps.db)))
}
