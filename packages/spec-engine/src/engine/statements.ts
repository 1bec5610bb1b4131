import type { Question } from '../schemas/document.js'
import type { Role } from 'steward-document-reader/document'
import { statesFact } from '../classify/stated-rules.js'
import type { Source } from './material.js'
import type { Unit } from './read-source.js'
import { shorten, wordsOf } from './words.js'

/** Why such a sentence is listed: a person answers whether it is demanded. */
const stated = 'It says how the solution works, and nothing says that it is demanded'
/** Sections that say how something shall work, often in the present and without a modal verb. */
const describing: ReadonlySet<Role | undefined> = new Set<Role>(['design', 'interfaces'])
const fewestWords = 4
const fewest = 3

/** "Authors: …", "Status: approved" */
const metadata = /^(?:authors?|owners?|reviewe(?:d|rs?)|status|date|version|last edited|autor(?:en|in)?|stand|auteurs?|autores?)\b.{0,5}:/i

const isStatement = ({ role, sense, cell, block: { kind }, text, needsReason, class: kindOf }: Unit): boolean =>
  describing.has(role) && sense === 'other' && !cell && (kind === 'paragraph' || kind === 'item') &&
  (!needsReason || kindOf === 'unclear') && wordsOf(text).length >= fewestWords && statesFact(text) &&
  !metadata.test(text)

/**
 * A design that demands next to nothing with a modal verb says in the present what shall be: each such sentence is
 * listed, and asked about.
 */
export const markStatements = (units: readonly Unit[]): void => {
  const found = units.filter(isStatement)
  const demands = units.filter(({ role, sense }) => sense === 'normative' && describing.has(role)).length
  if (found.length < fewest || demands > found.length / 2) return
  for (const unit of found) Object.assign(unit, { class: 'unclear', why: stated, needsReason: true })
}

type StatementQuestion = Pick<Question, 'question' | 'why_it_matters' | 'options' | 'blocking' | 'about'>

/** @returns what the question about an input's statements is about */
export const aboutOf = ({ seq }: Source): string => `statements:${seq}`

export const isStated = ({ why }: Unit): boolean => why === stated

/** @returns one question for each input that states without demanding */
export const aboutStatements = (units: readonly Unit[]): StatementQuestion[] => {
  const bySource = new Map<Source, Unit[]>()
  for (const unit of units) {
    if (!isStated(unit)) continue
    const found = bySource.get(unit.source)
    if (found) found.push(unit)
    else bySource.set(unit.source, [unit])
  }
  return [...bySource].map(([source, found]) => {
    const sections = [...new Set(found.map(({ headings }) => headings.at(-1) ?? ''))].filter((title) => title !== '')
    const named = sections.length > 0 ? ` below ${sections.slice(0, 4).map((title) => `“${title}”`).join(', ')}` : ''
    return {
      question: shorten(`${found.length} sentences${named} say how it works without saying that it is demanded, such ` +
        `as “${shorten(found[0]?.text ?? '', 150)}”. Are they requirements?`, 500),
      why_it_matters: 'What is a fact of today and what shall be built look the same in the present',
      options: ['Yes', 'No'],
      blocking: false,
      about: aboutOf(source)
    }
  })
}
