import type { FastifyInstance } from 'fastify'
import {
  findDraft, findEnabled, findVersion, insertVersion, listGroupNames, lockDraft, noDraftRevision, saveDraft,
  saveReplay, type DraftRow, type VersionRow, listMemberships, listRoles
} from '../../../../db/account/policies.js'
import { readClock } from '../../../../db/clock.js'
import { paginate } from '../../../../lib/http/paginate.js'
import type { GroupIds, PolicySet } from '../../../../lib/policies/compile.js'
import { runExamples, unknownTools, type FindTool, toInput } from '../../../../lib/policies/examples.js'
import { compile, schemaText } from '../../../../lib/policies/in-process.js'
import { judge } from '../../../../lib/policies/judge.js'
import { listDecisions, listForeignReads } from '../../../../lib/policies/past-decisions.js'
import { policySchema, type PolicyTool } from '../../../../lib/policies/policy-schema.js'
import { countCases, replay, type History } from '../../../../lib/policies/replay.js'
import type { Principal } from '../../../../lib/security/principal.js'
import { digestOf } from '../../../../lib/tools/digest.js'
import { unifiedDiff } from '../../../../lib/tools/show-changes.js'
import type {
  Policies, PolicyDraft, PolicyProblem, PolicyVersion, PolicyWarning, PutPolicies, PolicyRequest, PolicyVerdict,
  ReplayCase, ReplayPolicies
} from '../../../../schemas/account/policies.js'
import { NotFound } from '../../../../schemas/errors.js'
import { explainMiss } from '../../../../schemas/revisions.js'
import { ExamplesFail, NotReplayed, PoliciesInvalid, StaleDraft, UnknownTool } from '../errors.js'

type Deps = Pick<FastifyInstance, 'db' | 'tools' | 'policies' | 'cursors' | 'directWrites'>

/** What policies are read with: the tools that write, the other writes, and the groups by name. */
interface Vocabulary { tools: PolicyTool[], find: FindTool, groups: GroupIds }

const readVocabulary = async ({ db, tools, directWrites }: Deps, workspaceId: string): Promise<Vocabulary> => {
  const writes: PolicyTool[] = [...await tools.listWrites(workspaceId), ...directWrites()]
  const byName = new Map(writes.map((tool) => [tool.name, tool]))
  const groups = await listGroupNames(db, workspaceId)
  return { tools: writes, find: (name) => byName.get(name), groups: Object.fromEntries(groups) }
}

/** @throws policies_invalid with each problem, where it stands in the text */
const refuse = (problems: PolicyProblem[]): never => {
  throw PoliciesInvalid(problems[0]?.message, {
    errors: problems.map(({ pointer, code, message }) => ({ pointer, code, message })), problems
  })
}

const readNew = async ({ text, examples }: PutPolicies, { tools, find, groups }: Vocabulary) => {
  const compiled = await compile(text, groups, policySchema(tools))
  const unknown = unknownTools(examples, find)
  if (compiled.kind === 'invalid') return refuse([...compiled.problems, ...unknown])
  return unknown.length > 0 ? refuse(unknown) : compiled
}

/** A draft as it was saved, read again: a tool or a group may be gone. */
export interface ReadDraft { row: DraftRow, set: PolicySet, warnings: PolicyWarning[] }

/** @throws policies_invalid for what was valid when it was saved */
const readDraft = async (row: DraftRow, { tools }: Vocabulary): Promise<ReadDraft> => {
  const compiled = await compile(row.text, row.groups, policySchema(tools))
  return compiled.kind === 'invalid' ? refuse(compiled.problems) : { row, ...compiled }
}

/** @throws not_found where nothing was saved that differs from what holds */
const requireDraft = async ({ db }: Deps, workspaceId: string): Promise<DraftRow> => {
  const [row, enabled] = [await findDraft(db, workspaceId), await findEnabled(db, workspaceId)]
  if (!row || row.digest === enabled?.digest) throw NotFound('There is no draft that differs from what holds')
  return row
}

export const toVersion = ({ groups: _, ...version }: VersionRow): PolicyVersion => version

const showDraft = async (deps: Deps, row: DraftRow, vocabulary: Vocabulary, enabled: VersionRow | undefined):
Promise<PolicyDraft> => {
  const { text, examples, digest, replayed_digest, replayed_at, replay, updated_by, updated_at } = row
  const compiled = await compile(text, row.groups, policySchema(vocabulary.tools))
  const { find, groups } = vocabulary
  const isReplayed = replayed_digest === digest
  return {
    text,
    examples,
    digest,
    diff: await unifiedDiff(enabled?.text ?? '', text),
    results: compiled.kind === 'set'
      ? await runExamples(compiled.set, examples, find, groups, await readClock(deps.db))
      : [],
    warnings: compiled.kind === 'set' ? compiled.warnings : compiled.problems,
    replayed_at: isReplayed ? replayed_at : null,
    replay: isReplayed ? replay : null,
    updated_by,
    updated_at
  }
}

/** @returns what holds and what may hold next */
export const showPolicies = async (deps: Deps, workspaceId: string): Promise<Policies> => {
  const [row, enabled] = [await findDraft(deps.db, workspaceId), await findEnabled(deps.db, workspaceId)]
  const isDraft = row !== undefined && row.digest !== enabled?.digest
  return {
    enabled: enabled ? toVersion(enabled) : null,
    draft: isDraft ? await showDraft(deps, row, await readVocabulary(deps, workspaceId), enabled) : null,
    revision: row?.revision ?? noDraftRevision
  }
}

/**
 * Saves a draft; nothing that holds changes.
 * @throws policies_invalid, stale_revision
 */
export const putPolicies = async (deps: Deps, { workspace_id: workspaceId, user_id: by }: Principal,
  body: PutPolicies, revisions: number[] | undefined): Promise<Policies> => {
  const { set } = await readNew(body, await readVocabulary(deps, workspaceId))
  const { text, examples } = body
  const digest = digestOf({ text, examples, groups: set.groups })
  const draft = { text, examples, groups: { ...set.groups }, digest, updated_by: by }
  if (!await saveDraft(deps.db, workspaceId, draft, revisions)) {
    throw explainMiss({ revision: (await findDraft(deps.db, workspaceId))?.revision ?? noDraftRevision })
  }
  return showPolicies(deps, workspaceId)
}

/** Keeps what a replay of the draft said. @throws stale_draft when it was changed meanwhile */
const keepReplay = async ({ db }: Deps, workspaceId: string, digest: string,
  counts: Parameters<typeof saveReplay>[3]): Promise<void> => {
  if (!await saveReplay(db, workspaceId, digest, counts)) throw StaleDraft()
}

const requireReplayed = (row: DraftRow, digest: string) => {
  if (row.digest !== digest) throw StaleDraft(undefined, { digest: row.digest })
  if (row.replayed_digest !== digest || row.replay === null) throw NotReplayed()
  return row.replay
}

const requirePassing = async (deps: Deps, { set, row }: ReadDraft, { find, groups }: Vocabulary): Promise<void> => {
  const results = await runExamples(set, row.examples, find, groups, await readClock(deps.db))
  const failing = results.filter(({ passed }) => !passed)
  if (failing.length === 0) return
  throw ExamplesFail(`These do not pass: ${failing.map(({ name }) => JSON.stringify(name)).join(', ')}`,
    { results: failing })
}

/**
 * Lets the draft hold from now on, at every instance. An empty one turns policies off.
 * @throws not_found without a draft, stale_draft, not_replayed, examples_fail, policies_invalid
 */
export const enablePolicies = async (deps: Deps, { workspace_id: workspaceId, user_id: by }: Principal,
  digest: string): Promise<Policies> => {
  const vocabulary = await readVocabulary(deps, workspaceId)
  const draft = await requireDraft(deps, workspaceId)
  await requirePassing(deps, await readDraft(draft, vocabulary), vocabulary)
  await deps.db.transaction().execute(async (trx) => {
    const row = await lockDraft(trx, workspaceId)
    if (!row) throw NotFound()
    const counts = requireReplayed(row, digest)
    // The draft whose examples were tried is the one that is locked.
    if (row.digest !== draft.digest) throw StaleDraft(undefined, { digest: row.digest })
    if ((await findEnabled(trx, workspaceId))?.digest === digest) throw NotFound('It holds already')
    await insertVersion(trx, workspaceId, row, counts, by)
  })
  deps.policies.forget(workspaceId)
  return showPolicies(deps, workspaceId)
}

/** @throws not_found */
export const requireVersion = async ({ db }: Deps, workspaceId: string, version: number): Promise<VersionRow> => {
  const row = await findVersion(db, workspaceId, version)
  if (!row) throw NotFound()
  return row
}

/** @param against 0 = no policies. @returns a version, and how it differs from another. @throws not_found */
export const diffVersions = async (deps: Deps, workspaceId: string, number: number, against: number) => {
  const row = await requireVersion(deps, workspaceId, number)
  const before = against === 0 ? '' : (await requireVersion(deps, workspaceId, against)).text
  return { version: toVersion(row), against, diff: await unifiedDiff(before, row.text) }
}

/** @returns the schema that policies are validated against, in Cedar's own syntax */
export const showSchema = async (deps: Deps, workspaceId: string): Promise<string> =>
  schemaText(policySchema((await readVocabulary(deps, workspaceId)).tools))

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
