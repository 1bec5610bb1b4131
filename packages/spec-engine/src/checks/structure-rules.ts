import type { SpecDocument } from '../schemas/document.js'
import { wordsOf } from '../engine/words.js'
import { sectionTexts, textsOf } from './texts.js'
import { htmlTags, unsafe } from './unsafe.js'
import type { CheckView, Found, Rule } from './view.js'

const budgets = { kernel: 800, standard: 2_500, full: 6_000 }
const many = 25

/** @returns the sections that the document's profile, type and artifacts require */
const requiredSections = ({ settings, engine }: SpecDocument): string[] => {
  // Files of another tool have the sections of its layout.
  if (engine.name === 'import') return ['requirements']
  const { profile, spec_type: type, artifacts } = settings
  return [...new Set([
    'summary', 'requirements', 'non_goals',
    ...(profile === 'kernel' ? [] : ['problem', 'goals']),
    ...(profile === 'full' ? ['actors', 'edge_cases', 'risks', 'success_criteria'] : []),
    ...(type === 'bugfix' ? ['problem'] : []),
    ...(type === 'adr' || artifacts.includes('decisions') ? ['decisions'] : []),
    ...(artifacts.includes('design') ? ['design'] : []),
    ...(artifacts.includes('tasks') ? ['tasks'] : [])
  ])]
}

const hasSection = (document: SpecDocument, key: string): boolean => {
  if (key === 'requirements') return document.requirements.some(({ status }) => status === 'active')
  if (key === 'tasks') return document.tasks.length > 0
  return (sectionTexts(document, key) ?? []).length > 0
}

const missing = ({ document }: CheckView): Found[] => {
  const required = [...requiredSections(document), ...document.sections.map(({ key }) => key)]
  return required.filter((key) => !hasSection(document, key))
    .map((key) => ({
      target: `sections.${key}`,
      message: `The section ${key} is missing`,
      ...(key === 'requirements' && { severity: 'error' as const })
    }))
}

const tooLong = ({ document }: CheckView): Found[] => {
  const words = textsOf(document).reduce((sum, { text }) => sum + wordsOf(text).length, 0)
  const { profile } = document.settings
  const message = `${words} words; a spec of the profile ${profile} has at most ${budgets[profile]}`
  return words > budgets[profile] ? [{ target: 'document', message }] : []
}

const tooMany = ({ active }: CheckView): Found[] => active.length <= many
  ? []
  : [{ target: 'document', message: `${active.length} requirements: split the spec` }]

const allIds = (document: SpecDocument): string[] => [
  ...document.stories.flatMap(({ id, acceptance }) => [id, ...acceptance.map((one) => one.id)]),
  ...document.requirements.flatMap(({ id, acceptance }) => [id, ...acceptance.map((one) => one.id)]),
  ...[document.success_criteria, document.assumptions, document.open_questions, document.decisions, document.tasks]
    .flatMap((list) => list.map(({ id }) => id))
]

const repeatedIds = ({ document, base, active }: CheckView): Found[] => {
  const seen = new Set<string>()
  const twice = allIds(document).filter((id) => seen.size === seen.add(id).size)
  const gone = new Set(base?.requirements.filter(({ status }) => status === 'retired').map(({ id }) => id))
  return [
    ...[...new Set(twice)].map((id) => ({ target: id, message: `The id ${id} stands for two things` })),
    ...active.filter(({ id }) => gone.has(id))
      .map(({ id }) => ({ target: id, message: `The id ${id} was that of a retired requirement` }))
  ]
}

const placeholder = /\b(?:TBD|TBC|TODO|FIXME|XXX)\b|\?\?\?|<(?=\p{L})([\p{L}\d _-]{2,40})>|\[(?:insert|fill in|your|add) [^\]\n]{1,60}\]/giu

const placeholders = ({ document }: CheckView): Found[] => textsOf(document).flatMap(({ target, text }) =>
  [...text.matchAll(placeholder)].filter(({ 1: tag }) => tag === undefined || !htmlTags.has(tag.toLowerCase()))
    .map(({ 0: quote }) => ({ target, message: `${quote} is a placeholder`, quote })))

const unsafeTexts = ({ document }: CheckView): Found[] => textsOf(document).flatMap(({ target, text }) =>
  unsafe(text).map((quote) => ({ target, message: 'Raw HTML or a link that runs code', quote: quote.slice(0, 300) })))

export const structureRules: Rule[] = [
  { id: 'PSE001', severity: 'info', fix: 'model', find: missing },
  { id: 'PSE002', severity: 'info', fix: 'model', find: tooLong },
  { id: 'PSE003', severity: 'info', fix: 'human', find: tooMany },
  { id: 'PSE004', severity: 'error', fix: 'deterministic', find: repeatedIds },
  { id: 'PSE005', severity: 'warn', fix: 'human', find: placeholders },
  { id: 'PSE501', severity: 'warn', fix: 'deterministic', find: unsafeTexts }
]
