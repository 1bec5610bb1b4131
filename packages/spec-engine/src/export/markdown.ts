import type { Citation, Criterion, Requirement, SpecDocument, Story } from '../schemas/document.js'
import { tasksByComponent } from './tasks.js'
import { bullets, inline, join, paragraphs, section, storyText, table } from './text.js'

const criteria = (items: readonly Criterion[]): string => items
  .map(({ id, given, when, then }) =>
    `- **${id}** ${[given && `Given ${given}`, when && `when ${when}`, `then ${then}`].filter(Boolean).map(inline)
      .join(', ')}`).join('\n')

/** Versions of earlier releases name no section. */
const locationOf = ({ location = 'an input' }: Citation): string => inline(location)

const locations = (citations: readonly Citation[]): string => [...new Set(citations.map(locationOf))].join('; ')

/** @returns '' where all places are given */
export const moreOften = ({ repeats }: { repeats?: number }): string =>
  repeats === undefined ? '' : `The same words stand ${repeats} more ${repeats === 1 ? 'time' : 'times'} in the inputs.`

const story = (item: Story): string => join([
  `### ${item.id} ${inline(item.title)} (${item.priority})`,
  inline(storyText(item)),
  item.independent_test && `Independent test: ${inline(item.independent_test)}`,
  criteria(item.acceptance)
]).trimEnd()

const requirement = (item: Requirement): string => join([
  `### ${item.id} ${inline(item.title)}`,
  paragraphs(item.statement),
  `${item.level} · ${item.priority} · verified by ${item.verification}` +
    `${item.story_ids.length > 0 ? ` · ${item.story_ids.join(', ')}` : ''}${item.locked ? ' · locked' : ''}`,
  item.rationale && `Why: ${inline(item.rationale)}`,
  criteria(item.acceptance),
  item.citations.length > 0 && item.citations.map((citation) =>
    `> ${inline(citation.quote)} (${locationOf(citation)})`).join('\n>\n'),
  moreOften(item)
]).trimEnd()

const isActive = ({ status }: Requirement) => status === 'active'

const questions = ({ open_questions: items }: SpecDocument): string => items
  .filter(({ status }) => status === 'open')
  .map(({ id, question, blocking, options }) => `- **${id}**${blocking ? ' (blocking)' : ''} ${inline(question)}` +
    `${options.length > 0 ? ` (${inline(options.join(' / '))})` : ''}`).join('\n')

const decisions = ({ decisions: items }: SpecDocument): string => items
  .map(({ id, title, status, outcome }) => `- **${id}** ${inline(title)} (${status}): ${inline(outcome)}`).join('\n')

const tasks = (document: SpecDocument): string => join([
  ...tasksByComponent(document).map(([component, items]) => section(component, items
    .map(({ id, title, requirement_ids: ids, parallel, depends_on: needs }) =>
      `- [ ] ${id} ${parallel ? '[P] ' : ''}${inline(title)}${ids.length > 0 ? ` (${ids.join(', ')})` : ''}` +
      `${needs.length > 0 ? `, after ${needs.join(', ')}` : ''}`).join('\n'), 3))
]).trim()

const entities = ({ entities: items }: SpecDocument): string => items.map(({ name, description, fields }) =>
  join([
    `### ${inline(name)}`,
    inline(description),
    fields.length > 0 && table(['Field', 'Type', 'Description'],
      fields.map((field) => [field.name, field.type, field.description]))
  ]).trimEnd()).join('\n\n')

const trace = ({ requirements }: SpecDocument): string => {
  const active = requirements.filter(isActive)
  return active.length === 0
    ? ''
    : table(['Requirement', 'Stories', 'Criteria', 'Standards', 'Stands in'],
      active.map((item) => [item.id, item.story_ids.join(', '), String(item.acceptance.length),
        item.standards.map(({ rule_id: id }) => id).join(', '), locations(item.citations)]))
}

const head = (document: SpecDocument): string[] => [
  `# ${inline(document.title)}`,
  document.engine.notice ? `> ${inline(document.engine.notice)}` : '',
  paragraphs(document.summary)
]

const frame = (document: SpecDocument): string[] => [
  section('Problem', paragraphs(document.problem)),
  section('Goals', bullets(document.goals)),
  section('Non-goals', bullets(document.non_goals)),
  section('Actors', bullets(document.actors.map(({ name, description }) => `${name}: ${description}`))),
  section('Glossary', bullets(document.glossary.map(({ term, definition }) => `${term}: ${definition}`)))
]

const rest = (document: SpecDocument): string[] => [
  section('Edge cases', bullets(document.edge_cases)),
  section('Success criteria',
    bullets(document.success_criteria.map((item) => `${item.id} ${item.metric} ${moreOften(item)}`))),
  section('Risks', bullets(document.risks)),
  section('Assumptions', bullets(document.assumptions.map(({ id, text }) => `${id} ${text}`))),
  section('Open questions', questions(document)),
  section('Decisions', decisions(document)),
  section('Design', paragraphs(document.design ?? '')),
  section('Tasks', document.tasks.length > 0 ? tasks(document) : ''),
  ...document.sections.map(({ title, text }) => section(title, paragraphs(text)))
]

/** Renders the whole document as one file. */
export const renderMarkdown = (document: SpecDocument): string => join([
  ...head(document),
  ...frame(document),
  section('User stories', document.stories.map(story).join('\n\n')),
  section('Requirements', document.requirements.filter(isActive).map(requirement).join('\n\n')),
  section('Entities', entities(document)),
  section('Interfaces', bullets(document.interfaces.map(({ name, description }) => `${name}: ${description}`))),
  ...rest(document),
  section('Trace', trace(document))
])
