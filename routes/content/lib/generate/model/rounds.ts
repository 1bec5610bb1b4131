import { repair } from 'steward-prose-engine/revision'
import type { BrandReport, ContentBody, ReportFinding } from 'steward-prose-engine/schemas'
import { readText } from '../../text/read-text.js'
import type { Unit } from 'steward-prose-engine/markdown'
import { TextsAnswer } from './answers.js'
import { tasks } from './prompts.js'
import { lostName } from './same-things.js'
import type { Work } from './work.js'

const maxTokens = 8_000
const maxParts = 20

/** Applies the fixes by rules, before the model makes any. */
export const fixByRules = async ({ measure }: Work, body: ContentBody): Promise<ContentBody> =>
  repair(body, (await readText('judge', measure, body)).findings, measure.brand.terms.protected).body

interface Problem extends Unit { findings: ReportFinding[] }

const problemsIn = async ({ measure }: Work, body: ContentBody): Promise<Problem[]> => {
  const byTarget = await readText('problemsOf', body, await readText('judge', measure, body))
  const units = await readText('unitsOf', body)
  return units.filter(({ target }) => byTarget.has(target)).slice(0, maxParts)
    .map((unit) => ({ ...unit, findings: byTarget.get(unit.target) ?? [] }))
}

const show = ({ target, text, findings }: Problem) => ({
  target, text, findings: findings.map(({ rule_id: rule, message, match }) => `${rule}: ${message}: ${match}`)
})

/** Identifies a text and its findings: the same problem is not sent to the model again. */
const signature = ({ target, text, findings }: Problem): string =>
  JSON.stringify([target, text, findings.map(({ rule_id: rule }) => rule)])

const errorRules = ({ findings }: BrandReport): string[] =>
  findings.filter(({ severity, waived }) => severity === 'error' && !waived).map(({ rule_id: rule }) => rule)

/** @returns whether a text has fewer errors and none of a new rule, or as many and a higher score */
const isBetter = (before: BrandReport, after: BrandReport): boolean => {
  const [was, now] = [errorRules(before), errorRules(after)]
  if (now.some((rule) => !was.includes(rule))) return false
  return now.length < was.length || (now.length === was.length && after.score > before.score)
}

interface Round { body: ContentBody, asked: string[], accepted: number }

const accept = async (work: Work, body: ContentBody, problems: Problem[], { items }: TextsAnswer): Promise<Round> => {
  let [best, accepted] = [body, 0]
  const names = work.measure.brand.terms.protected
  let report = await readText('judge', work.measure, best)
  for (const { target, text } of problems) {
    const input = items.find((item) => item.target === target)
    if (!input || input.text.trim() === '' || lostName(text, input.text, names) !== undefined) continue
    const tried = await readText('withUnits', best, [{ target, text: input.text.trim() }])
    const after = await readText('judge', work.measure, tried)
    if (!isBetter(report, after)) continue
    best = tried
    report = after
    accepted++
  }
  return { body: best, asked: problems.map(signature), accepted }
}

/** Gives the report's findings to the model, and accepts only the answers that the report rates better. */
export const repairRounds = async (work: Work, drafted: ContentBody): Promise<ContentBody> => {
  let body = drafted
  const before = new Set<string>()
  for (let round = 1; round <= work.maxRounds; round++) {
    const problems = (await problemsIn(work, body)).filter((problem) => !before.has(signature(problem)))
    if (problems.length === 0) return body
    const done = await work.step(`repair:${round}`, async (ask): Promise<Round> => {
      const task = tasks.repair(work.request, problems.map(show))
      const answer = await ask({
        system: work.system, material: work.material, task, schema: TextsAnswer, maxTokens
      }) as TextsAnswer // The schema that it was checked against.
      return accept(work, body, problems, answer)
    })
    const { number } = work.output
    await work.append({ event: 'repair_round', data: { number, round, accepted: done.accepted } })
    for (const asked of done.asked) before.add(asked)
    body = done.body
  }
  return body
}
