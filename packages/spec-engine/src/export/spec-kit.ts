import type { Criterion, SpecDocument, Story } from '../schemas/document.js'
import type { ResolvedStandard } from '../schemas/standards.js'
import type { ExportFile } from './files.js'
import { toConstitution } from './standards.js'
import { tasksByComponent } from './tasks.js'
import { bullets, inline, join, paragraphs, section, slugOf, storyText } from './text.js'

/** @returns such as "003-parcel-lockers" */
export const featureFolder = (title: string, number: number): string =>
  `${String(number).padStart(3, '0')}-${slugOf(title)}`

/**
 * @param names of the folders in the repository's specs
 * @returns the number that the feature has there, else the next one
 */
export const featureNumber = (title: string, names: readonly string[]): number => {
  const numbered = names.flatMap((name) => {
    const found = /^(\d{3,6})-(.+)$/.exec(name)
    return found ? [{ number: Number(found[1]), slug: found[2] }] : []
  })
  const own = numbered.filter(({ slug }) => slug === slugOf(title)).at(-1)
  return own?.number ?? Math.max(0, ...numbered.map(({ number }) => number)) + 1
}

/** spec-kit allows three marks in the text; the export lists the other questions. */
const maxMarks = 3

/** A criterion on one line; one that is no scenario stays as it is. */
export const scenarioOf = ({ given, when, then }: Omit<Criterion, 'id'>): string =>
  [given && `**Given** ${inline(given)}`, when && `**When** ${inline(when)}`,
    given || when ? `**Then** ${inline(then)}` : inline(then)].filter(Boolean).join(', ')

export const storyOf = (story: Story, at: number): string => join([
  `### User Story ${at + 1} - ${inline(story.title)} (Priority: ${story.priority})`,
  inline(storyText(story)),
  story.independent_test && `**Independent Test**: ${inline(story.independent_test)}`,
  story.acceptance.length > 0 && `**Acceptance Scenarios**:\n\n${story.acceptance
    .map((one, number) => `${number + 1}. ${scenarioOf(one)}`).join('\n')}`
]).trimEnd()

const open = ({ open_questions: items }: SpecDocument) => items.filter(({ status }) => status === 'open')

const active = ({ requirements: items }: SpecDocument) => items.filter(({ status }) => status === 'active')

const requirements = (document: SpecDocument): string => bullets([
  ...active(document).map(({ id, statement }) => `**${id}**: ${statement}`),
  ...open(document).slice(0, maxMarks).map(({ id, question }) => `**${id}**: [NEEDS CLARIFICATION: ${question}]`)
])

const spec = (document: SpecDocument): string => join([
  `# Feature Specification: ${inline(document.title)}`,
  paragraphs(document.summary),
  section('User Scenarios & Testing', join([
    document.stories.map(storyOf).join('\n\n'), section('Edge Cases', bullets(document.edge_cases), 3)
  ]).trim()),
  section('Requirements', join([
    section('Functional Requirements', requirements(document), 3),
    section('Key Entities', bullets(document.entities.map(({ name, description }) => `**${name}**: ${description}`)), 3)
  ]).trim()),
  section('Success Criteria',
    bullets(document.success_criteria.map(({ id, metric }) => `**${id}**: ${metric}`))),
  section('Assumptions', bullets(document.assumptions.map(({ text }) => text))),
  section('Open Questions', bullets(open(document).slice(maxMarks).map(({ id, question }) => `${id} ${question}`)))
])

const tasks = (document: SpecDocument): string => join([
  `# Tasks: ${inline(document.title)}`,
  ...tasksByComponent(document).map(([component, items], at) => section(`Phase ${at + 1}: ${component}`, items
    .map(({ id, title, parallel, story_id: story, depends_on: needs }) =>
      `- [ ] ${id} ${parallel ? '[P] ' : ''}${story ? `[${story.replace('-', '')}] ` : ''}${inline(title)}` +
      `${needs.length > 0 ? ` (depends on ${needs.join(', ')})` : ''}`).join('\n')))
])

/**
 * Renders the folder of a feature in the layout of github/spec-kit.
 * @param number of the feature, which a repository has once
 */
export const toSpecKit = (document: SpecDocument, standards: readonly ResolvedStandard[],
  number: number): ExportFile[] => {
  const folder = `specs/${featureFolder(document.title, number)}`
  return [
    { path: `${folder}/spec.md`, content: spec(document) },
    ...(document.tasks.length > 0 ? [{ path: `${folder}/tasks.md`, content: tasks(document) }] : []),
    ...(standards.length > 0
      ? [{ path: '.specify/memory/constitution.md', content: toConstitution(document.title, standards) }]
      : [])
  ]
}
