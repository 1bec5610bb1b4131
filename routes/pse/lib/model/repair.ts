import type { AskModel } from '../../../../lib/llm/ask.js'
import type { CheckReport, Finding, Requirement, SpecDocument } from 'steward-spec-engine/schemas'
import { type GenerationTask, parseEars } from 'steward-spec-engine/engine'
import { runInProcess } from '../process/run-in-process.js'
import { RepairAnswer } from 'steward-spec-engine/model'
import { systemPrompt, tasks } from './prompts.js'

const maxItems = 40
const maxTokens = 8_000

const check = (task: GenerationTask, document: SpecDocument): Promise<CheckReport> =>
  runInProcess('check', { document, inputs: task.inputs, standards: task.standards, base: task.base, now: new Date(0) })

const ownerOf = (target: string): string => target.replace(/\.AC\d+$/, '')

const isRepairable = ({ fix, status, severity }: Finding): boolean =>
  fix === 'model' && status === 'open' && severity !== 'info'

const isTarget = ({ mode, targets }: GenerationTask, id: string): boolean =>
  mode === 'full' || targets.includes('sections.requirements') || targets.includes(id)

/** @returns requirements with errors, in a repair also with warnings, each with the findings that a model can fix */
const repairable = (task: GenerationTask, document: SpecDocument, { findings }: CheckReport) => {
  const byItem = new Map<string, Finding[]>()
  for (const finding of findings.filter(isRepairable)) {
    byItem.set(ownerOf(finding.target), [...byItem.get(ownerOf(finding.target)) ?? [], finding])
  }
  return document.requirements
    .filter(({ id, status, locked, human_edited: edited }) => status === 'active' && !locked && !edited &&
      isTarget(task, id) && byItem.get(id)?.some(({ severity }) => task.mode === 'repair' || severity === 'error'))
    .slice(0, maxItems).map((item) => ({ item, findings: byItem.get(item.id) ?? [] }))
}

const rulesOf = (report: CheckReport, id: string): Set<string> => new Set(report.findings
  .filter((one) => one.severity !== 'info' && one.status === 'open' && ownerOf(one.target) === id)
  .map(({ rule_id: rule }) => rule))

const openOf = ({ counts: { error, warn } }: CheckReport): number => error + warn

/** @returns whether the spec has fewer findings that are errors or warnings, and the item breaks no rule that it kept */
const isBetter = (before: CheckReport, after: CheckReport, id: string): boolean => {
  const old = rulesOf(before, id)
  return after.counts.error <= before.counts.error && openOf(after) < openOf(before) &&
    [...rulesOf(after, id)].every((rule) => old.has(rule))
}

const withItem = (document: SpecDocument, item: Requirement): SpecDocument =>
  ({ ...document, requirements: document.requirements.map((one) => one.id === item.id ? item : one) })

/** A repair that would drop the criteria keeps those that are there. */
const changed = (item: Requirement,
  { title, statement, acceptance }: RepairAnswer['items'][number]): Requirement => ({
  ...item,
  title,
  statement: statement.trim(),
  pattern: parseEars(statement)?.pattern ?? 'free',
  acceptance: acceptance.length === 0
    ? item.acceptance
    : acceptance.map((criterion, at) => ({ id: `${item.id}.AC${at + 1}`, ...criterion }))
})

export interface Repaired { document: SpecDocument, asked: string[], accepted: string[] }

/** Identifies items with their statements and findings: a round does not repeat the same ones. */
const signature = (items: ReturnType<typeof repairable>): string[] => items.map(({ item, findings }) =>
  [item.id, item.statement, ...findings.map(({ finding_id: id }) => id)].join(' '))

/**
 * Runs one round of repair: sends the failing items to the model, and accepts the answers that are better.
 * @param before signatures of the round before; items with the same one are not sent again
 * @throws ModelError
 */
export const repairRound = async (task: GenerationTask, document: SpecDocument, before: readonly string[],
  ask: AskModel): Promise<Repaired> => {
  const report = await check(task, document)
  const known = new Set(before)
  const items = repairable(task, document, report).filter((one) => !known.has(signature([one])[0] ?? ''))
  if (items.length === 0) return { document, asked: [], accepted: [] }
  const answer = await ask({
    system: systemPrompt(task),
    material: '# The items that follow stand on their quotes alone',
    task: tasks.repair(task, items),
    schema: RepairAnswer,
    maxTokens
  })
  let best = { document, report }
  const accepted: string[] = []
  for (const { item } of items) {
    const input = answer.items.find(({ id }) => id === item.id)
    if (!input) continue
    const candidate = withItem(best.document, changed(item, input))
    const after = await check(task, candidate)
    if (!isBetter(best.report, after, item.id)) continue
    best = { document: candidate, report: after }
    accepted.push(item.id)
  }
  return { document: best.document, asked: signature(items), accepted }
}
