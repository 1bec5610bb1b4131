import type { DecisionRow } from '../../db/agent/reports.js'
import type { PolicyVerdict, ReplayCase, ReplayCounts, ReplayOutcome } from '../../schemas/account/policies.js'
import type { PolicySet } from './compile.js'
import type { FindTool } from './examples.js'
import { judgeAll } from './judge.js'
import type { PolicyInput } from './policy-input.js'

/** What replaying takes beside the decisions. */
export interface History {
  decisions: readonly DecisionRow[]
  /** By session, when foreign text came into it. */
  reads: ReadonlyMap<string, readonly { at: Date }[]>
  /** By person, the groups of now. */
  memberships: ReadonlyMap<string, readonly string[]>
  /** By person, the role of now. */
  roles: ReadonlyMap<string, string>
  find: FindTool
}

const timeOf = (date: Date | null): number => date?.getTime() ?? -Infinity

/** @returns by session, when people decided, in order */
const decisionTimes = (decisions: readonly DecisionRow[]): Map<string, number[]> => {
  const found = new Map<string, number[]>()
  for (const { session_id: id, decided_at: at } of decisions) found.set(id, [...found.get(id) ?? [], timeOf(at)])
  return found
}

/** As `findTaint` says it of a run, at the time when the question was asked. */
const wasTainted = ({ session_id: id, requested_at: at, kind, trigger }: DecisionRow, { reads }: History,
  decided: ReadonlyMap<string, number[]>): boolean => {
  if (trigger || kind !== 'chat') return true
  const asked = timeOf(at)
  const last = Math.max(-Infinity, ...(decided.get(id) ?? []).filter((time) => time < asked))
  return (reads.get(id) ?? []).some((read) => timeOf(read.at) > last && timeOf(read.at) <= asked)
}

/** @returns the decision as policies see a plan, or what is missing for that */
const toInput = (row: DecisionRow, history: History, decided: ReadonlyMap<string, number[]>):
PolicyInput | string => {
  const tool = history.find(row.name)
  if (!tool) return `the tool ${row.name}, which is gone`
  if (row.target === null || row.facts === null) return 'the target, which was not stored then'
  const role = history.roles.get(row.user_id)
  if (role === undefined) return 'the person, who is gone'
  return {
    person: {
      id: row.user_id,
      role,
      groups: history.memberships.get(row.user_id) ?? [],
      via: 'assistant',
      assistant: true,
      token: null
    },
    tool,
    target: row.target,
    arguments: row.arguments,
    changes: row.preview,
    risk: row.risk,
    tainted: wasTainted(row, history, decided),
    trigger: row.trigger,
    at: row.requested_at
  }
}

const outcomeOf = ({ outcome, requirement }: PolicyVerdict): ReplayOutcome => {
  if (outcome !== 'ask') return outcome
  const isOrdinary = requirement === null || (requirement.approvals === 1 && requirement.groups.length === 0 &&
    !requirement.exclude_requester && !requirement.signed)
  return isOrdinary ? 'unchanged' : 'ask'
}

const toCase = (row: DecisionRow, judged: PolicyVerdict | string): ReplayCase => ({
  confirmation_id: row.id,
  tool: row.name,
  summary: row.summary,
  target: row.target,
  risk: row.risk,
  requested_by: row.user_id,
  requested_at: row.requested_at,
  decision: row.status === 'approved' ? 'approved' : 'rejected',
  decided_by: row.decided_by,
  outcome: typeof judged === 'string' ? 'lacking' : outcomeOf(judged),
  lacking: typeof judged === 'string' ? judged : null,
  verdict: typeof judged === 'string' ? null : judged
})

/**
 * Judges what people decided by other policies than held then.
 * @returns a case each, in the decisions' order
 * @throws overloaded
 */
export const replay = async (set: PolicySet, history: History): Promise<ReplayCase[]> => {
  const decided = decisionTimes(history.decisions)
  const read = history.decisions.map((row) => ({ row, input: toInput(row, history, decided) }))
  const verdicts = (await judgeAll(set, null, read.flatMap(({ input }) => typeof input === 'string' ? [] : input)))
    .values()
  return read.map(({ row, input }) =>
    toCase(row, typeof input === 'string' ? input : verdicts.next().value ?? 'an answer of the policies'))
}

const countAsked = (cases: readonly ReplayCase[]): ReplayCounts['ask'] => {
  const counts = new Map<number, number>()
  for (const { verdict } of cases) {
    const approvals = verdict?.requirement?.approvals ?? 1
    counts.set(approvals, (counts.get(approvals) ?? 0) + 1)
  }
  return [...counts].sort(([a], [b]) => a - b).map(([approvals, total]) => ({ approvals, total }))
}

export const countCases = (cases: readonly ReplayCase[]): ReplayCounts => {
  const of = (outcome: ReplayOutcome) => cases.filter((one) => one.outcome === outcome)
  const [run, forbid] = [of('run'), of('forbid')]
  return {
    decisions: cases.length,
    lacking: of('lacking').length,
    run: { total: run.length, rejected: run.filter(({ decision }) => decision === 'rejected').length },
    forbid: { total: forbid.length, approved: forbid.filter(({ decision }) => decision === 'approved').length },
    ask: countAsked(of('ask')),
    unchanged: of('unchanged').length
  }
}
