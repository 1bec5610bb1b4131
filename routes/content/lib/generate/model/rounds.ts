import { repair } from '../../repair.js'
import type { ContentBody } from '../../../../../schemas/content/contents.js'
import type { ReportFinding } from '../../../../../schemas/content/reports.js'
import { unitsOf, withUnit, type Unit } from '../units.js'
import { TextsAnswer } from './answers.js'
import { isBetter, judge, problemsOf } from './judge.js'
import { tasks } from './prompts.js'
import type { Work } from './work.js'

const maxTokens = 8_000
const maxParts = 20

/** Fixes that are certain come before any that a model makes. */
export const fixByRules = ({ measure }: Work, body: ContentBody): ContentBody =>
  repair(body, judge(measure, body).findings).body

interface Problem extends Unit { findings: ReportFinding[] }

const problemsIn = ({ measure }: Work, body: ContentBody): Problem[] => {
  const byTarget = problemsOf(body, judge(measure, body))
  return unitsOf(body).filter(({ target }) => byTarget.has(target)).slice(0, maxParts)
    .map((unit) => ({ ...unit, findings: byTarget.get(unit.target) ?? [] }))
}

const show = ({ target, text, findings }: Problem) => ({
  target, text, findings: findings.map(({ rule_id: rule, message, match }) => `${rule}: ${message}: ${match}`)
})

/** The text and what is wrong with it: a round that would ask the same again is not asked. */
const signature = ({ target, text, findings }: Problem): string =>
  JSON.stringify([target, text, findings.map(({ rule_id: rule }) => rule)])

interface Round { body: ContentBody, asked: string[], accepted: number }

const accept = (work: Work, body: ContentBody, problems: Problem[], { items }: TextsAnswer): Round => {
  let [best, accepted] = [body, 0]
  for (const { target } of problems) {
    const wish = items.find((item) => item.target === target)
    if (!wish || wish.text.trim() === '') continue
    const tried = withUnit(best, { target, text: wish.text.trim() })
    if (!isBetter(judge(work.measure, best), judge(work.measure, tried))) continue
    best = tried
    accepted++
  }
  return { body: best, asked: problems.map(signature), accepted }
}

/** The model is given what the report finds, and code decides which of its answers are better. */
export const repairRounds = async (work: Work, drafted: ContentBody): Promise<ContentBody> => {
  let body = drafted
  const before = new Set<string>()
  for (let round = 1; round <= work.maxRounds; round++) {
    const problems = problemsIn(work, body).filter((problem) => !before.has(signature(problem)))
    if (problems.length === 0) return body
    const done = await work.step(`repair:${round}`, async (ask): Promise<Round> => {
      const task = tasks.repair(work.asked, problems.map(show))
      const answer = await ask({
        system: work.system, material: work.material, task, schema: TextsAnswer, maxTokens
      }) as TextsAnswer // The schema that it was checked against.
      return accept(work, body, problems, answer)
    })
    await work.tell('repair_round', { number: work.output.number, round, accepted: done.accepted })
    for (const asked of done.asked) before.add(asked)
    body = done.body
  }
  return body
}
