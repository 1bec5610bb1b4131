import type { Criterion, SpecDocument } from '../schemas/document.js'

/** A text of the document; `target` names its item or section. */
export interface DocumentText { target: string, text: string }

const criteriaOf = (id: string, criteria: readonly Criterion[]): DocumentText[] =>
  criteria.flatMap(({ given, when, then }) => [given, when, then].map((text) => ({ target: id, text })))

const section = (key: string, texts: readonly string[]): DocumentText[] =>
  texts.map((text) => ({ target: `sections.${key}`, text }))

const notesOf = (document: SpecDocument): DocumentText[] => [
  ...section('summary', [document.summary]),
  ...section('problem', [document.problem]),
  ...section('goals', document.goals),
  ...section('non_goals', document.non_goals),
  ...section('actors', document.actors.flatMap(({ name, description }) => [name, description])),
  ...section('glossary', document.glossary.flatMap(({ term, definition }) => [term, definition])),
  ...section('entities', document.entities.flatMap(({ name, description, fields }) =>
    [name, description, ...fields.flatMap((field) => [field.name, field.description])])),
  ...section('interfaces', document.interfaces.flatMap(({ name, description }) => [name, description])),
  ...section('edge_cases', document.edge_cases),
  ...section('risks', document.risks),
  ...section('design', document.design === null ? [] : [document.design]),
  ...document.sections.flatMap(({ key, text }) => section(key, [text]))
]

const itemsOf = (document: SpecDocument): DocumentText[] => [
  ...document.stories.flatMap(({ id, title, role, want, so_that, independent_test, acceptance }) => [
    ...[title, role, want, so_that, independent_test].map((text) => ({ target: id, text })),
    ...criteriaOf(id, acceptance)
  ]),
  ...document.requirements.filter(({ status }) => status === 'active')
    .flatMap(({ id, title, statement, rationale, acceptance }) => [
      ...[statement, title, rationale].map((text) => ({ target: id, text })), ...criteriaOf(id, acceptance)
    ]),
  ...document.success_criteria.map(({ id, metric }) => ({ target: id, text: metric })),
  ...document.assumptions.map(({ id, text }) => ({ target: id, text })),
  ...document.decisions.map(({ id, outcome }) => ({ target: id, text: outcome })),
  ...document.tasks.map(({ id, title }) => ({ target: id, text: title }))
]

/** @returns every text of the document except its open questions */
export const textsOf = (document: SpecDocument): DocumentText[] =>
  [...notesOf(document), ...itemsOf(document)].filter(({ text }) => text !== '')

/** @returns the texts of one section; undefined = no section has that name */
export const sectionTexts = (document: SpecDocument, key: string): string[] | undefined => {
  const named = notesOf(document).filter(({ target, text }) => target === `sections.${key}` && text !== '')
  if (named.length > 0) return named.map(({ text }) => text)
  const list: Record<string, string[]> = {
    success_criteria: document.success_criteria.map(({ metric }) => metric),
    assumptions: document.assumptions.map(({ text }) => text),
    open_questions: document.open_questions.map(({ question }) => question),
    decisions: document.decisions.map(({ outcome }) => outcome)
  }
  const isKnown = key in document || document.sections.some((one) => one.key === key)
  return list[key] ?? (isKnown ? [] : undefined)
}
