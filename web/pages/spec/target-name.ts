import type { Schemas } from '../../api/client'
import { say } from '../../texts/say'
import { listParts } from './lists'
import { sectionParts } from './section-parts'
import { ownTexts } from './texts'

type SpecDocument = Schemas['SpecDocument']

/** What the API calls the whole, and the two sections that have pages of their own. */
const others: Record<string, () => string> = {
  document: () => say('standard.place.document'),
  'sections.requirements': () => say('spec.requirements'),
  'sections.stories': () => say('spec.stories'),
  'sections.settings': () => say('spec.settings')
}

/** @returns the title of a section that every spec has; undefined for an item's id, and a template's section */
export const titleOfOwn = (target: string): string | undefined => others[target]?.() ??
  [...ownTexts(), ...listParts()].find(({ name }) => target === `sections.${name}`)?.label

/** @returns the title of the section that a target of the API names; undefined where it is an item's id */
const titleOf = (document: SpecDocument, target: string): string | undefined =>
  others[target]?.() ?? sectionParts(document).find(({ name }) => target === `sections.${name}`)?.label

/** @returns how people call what a finding, an edit or a suggestion is about: a section's title, or an item's id */
export const nameOfTarget = (document: SpecDocument, target: string): string => titleOf(document, target) ?? target

const sections = /\bsections\.[a-z0-9_-]+/g

/** @returns a text that names sections by their titles instead of their keys */
export const withTitles = (document: SpecDocument, text: string): string =>
  text.replaceAll(sections, (target) => {
    const title = titleOf(document, target)
    return title === undefined ? target : say('spec.section.quoted', { title })
  })
