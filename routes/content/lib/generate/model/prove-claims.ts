import { givenBy, saidBy, type Judgement, type Statement } from 'steward-prose-engine/claims'
import type { ContentBody, Verdict } from 'steward-prose-engine/schemas'
import { readText } from '../../text/read-text.js'
import { ClaimsAnswer } from './answers.js'
import { tasks } from './prompts.js'
import type { Work } from './work.js'

const maxTokens = 4_000
/** Statements that one call judges. */
const perCall = 40

/** A statement that names no fact has none to follow from. */
const judgePart = (work: Work, name: string, statements: readonly Statement[]): Promise<Verdict[]> =>
  work.step(name, async (ask) => {
    const cited = new Set(statements.flatMap(({ fact_ids: ids }) => ids))
    const facts = work.measure.grounds.facts.filter(({ id }) => cited.has(id))
      .map((fact) => ({ id: fact.id, text: saidBy(fact) })).filter(({ text }) => text !== '')
    const shown = statements.map(({ text, fact_ids: ids }, index) => ({
      number: index + 1, statement: text, facts: ids.filter((id) => facts.some((fact) => fact.id === id))
    }))
    const answer = await ask({
      system: work.system, material: '# Claims', task: tasks.claims(facts, shown), schema: ClaimsAnswer, maxTokens
    }) as ClaimsAnswer // The schema that it was checked against.
    return statements.map((_, index) => answer.statements.find(({ number }) => number === index + 1)?.verdict ?? 'not')
  })

/**
 * Judges each statement against the facts that it cites, by a call of its own and by code. Citations stay where a
 * statement follows; what does not follow is an error of the report until a person changes or accepts it.
 * @param facts what a text without footnotes rests on
 */
export const proveClaims = async (work: Work, body: ContentBody, facts: readonly string[]):
Promise<{ body: ContentBody, judgements: Judgement[] }> => {
  const { brief, measure: { brand, locale, grounds } } = work
  if (grounds.facts.length === 0) return { body, judgements: [] }
  const own = new Set(brief?.facts.map(({ id }) => id))
  const basis = {
    used: facts,
    sources: grounds.facts.filter(({ id }) => !own.has(id)).map(({ id }) => id),
    given: givenBy(brief, brand)
  }
  const all = await readText('statementsOf', body, basis)
  const verdicts: Verdict[] = []
  for (let from = 0, part = 1; from < all.length; from += perCall, part++) {
    verdicts.push(...await judgePart(work, part === 1 ? 'claims' : `claims:${part}`, all.slice(from, from + perCall)))
  }
  return readText('withVerdicts', body, grounds, brand, locale, basis, verdicts)
}
