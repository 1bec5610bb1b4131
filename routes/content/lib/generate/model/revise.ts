import type { ContentBody } from 'steward-prose-engine/schemas'
import { readText } from '../../text/read-text.js'
import type { Unit } from 'steward-prose-engine/markdown'
import { TextsAnswer } from './answers.js'
import { GenerationFailed } from './failures.js'
import { sameThings } from './same-things.js'
import { refusedMark } from 'steward-prose-engine/revision'
import { proveClaims } from './prove-claims.js'
import { fixByRules, repairRounds } from './rounds.js'
import type { Work, Written } from './work.js'

const maxTokens = 16_000

type Task = (texts: Unit[]) => string

/** Short texts share one model call; sections and posts have one each. */
const groupsOf = (units: Unit[]): { name: string, units: Unit[] }[] => {
  const isLong = ({ target }: Unit) => /^(?:intro$|section:|post:)/.test(target)
  const short = units.filter((unit) => !isLong(unit))
  return [
    ...(short.length > 0 ? [{ name: 'fields', units: short }] : []),
    ...units.filter(isLong).map((unit) => ({ name: unit.target, units: [unit] }))
  ]
}

const rewriteGroup = (work: Work, name: string, units: Unit[], task: Task): Promise<Unit[]> =>
  work.step(name, async (model) => {
    const { system, material } = work
    const { items } = await model({
      system, material, task: task(units), schema: TextsAnswer, maxTokens
    })
    return units.map(({ target, text }) => {
      const translated = items.find((item) => item.target === target)?.text.trim()
      return { target, text: translated === undefined || translated === '' ? text : translated }
    })
  })

const rewriteUnits = async (work: Work, units: Unit[], task: Task): Promise<Unit[]> =>
  (await Promise.all(groupsOf(units).map(({ name, units: some }) => rewriteGroup(work, name, some, task)))).flat()

const finish = async (work: Work, body: ContentBody): Promise<Written> => {
  const linked = await readText('removeUngroundedLinks', work.measure, body)
  const repaired = await repairRounds(work, await fixByRules(work, linked.body))
  const unlinked = await readText('removeUngroundedLinks', work.measure, repaired)
  const facts = work.base.citations.map(({ fact_id: id }) => id)
  return { ...await proveClaims(work, unlinked.body, facts), refused: [...linked.refused, ...unlinked.refused] }
}

/** Rewrites the requested parts in the voice of the brand. @throws GenerationFailed target_unknown */
export const rewrite = async (work: Work, task: Task): Promise<Written> => {
  const all = await readText('unitsOf', work.base)
  const unknown = work.targets.find((target) => !all.some((unit) => unit.target === target))
  if (unknown !== undefined) throw new GenerationFailed('target_unknown', `There is no part ${unknown}`)
  const units = work.targets.length === 0 ? all : all.filter(({ target }) => work.targets.includes(target))
  return finish(work, await readText('withUnits', work.base, await rewriteUnits(work, units, task)))
}

/** Translates every part; a part whose numbers, names or structure differ is refused. */
export const translate = async (work: Work, task: Task): Promise<Written> => {
  const { source, base, measure: { brand } } = work
  if (source === null) throw new GenerationFailed('internal', 'A translation has no source')
  const units = await readText('unitsOf', source)
  const translated = await rewriteUnits(work, units, task)
  const refused: string[] = []
  const checked = translated.map(({ target, text }, index) => {
    const differs = sameThings(units[index]?.text ?? '', text, brand.terms.protected)
    if (differs === undefined) return { target, text }
    refused.push(`${target}: ${differs}`)
    const heading = /^## .*$/m.exec(text)?.[0]
    return { target, text: heading === undefined ? refusedMark : `${heading}\n\n${refusedMark}` }
  })
  const { title, summary, body_markdown, fields, seo, media, citations } = source
  const start = { ...base, title, summary, body_markdown, fields, seo, media, citations }
  // From the last part to the first: a changed heading can become the target of another part.
  return { body: await readText('withUnits', start, checked.toReversed()), refused, judgements: [] }
}

/** Fixes the findings of the report, first by rules, then by the model. */
export const repairRecord = (work: Work): Promise<Written> => finish(work, work.base)
