import type { Criterion, Requirement, SpecDocument } from '../schemas/document.js'
import type { ResolvedStandard } from '../schemas/standards.js'
import { stepsOf } from '../import/read-files.js'
import type { ExportFile } from './files.js'
import { toSteering } from './standards.js'
import { tasksByComponent } from './tasks.js'
import { bullets, inline, join, paragraphs, section, slugOf, storyText } from './text.js'

const specTypes: Partial<Record<SpecDocument['settings']['spec_type'], string>> = { bugfix: 'bugfix' }

/** A criterion as it came: what it has no condition for gets none. */
export const written = ({ given, when, then }: Criterion): string =>
  [given && `GIVEN ${given}`, when && `WHEN ${when}`, given || when ? `THEN ${then}` : then].filter(Boolean).join(', ')

/** A whole requirement, with its number. */
export const requirement = (document: SpecDocument) => (item: Requirement, at: number): string => {
  const story = document.stories.find(({ id }) => item.story_ids.includes(id))
  // What came from Kiro has its statement among its criteria.
  const [first] = item.acceptance
  const own = stepsOf(item.statement)
  const isSaid = first !== undefined && written(first) === written({ ...first, ...own })
  const criteria = [item.statement, ...item.acceptance.slice(isSaid ? 1 : 0).map(written)]
  return join([
    `### Requirement ${at + 1}: ${inline(item.title)}`,
    story && `**User Story:** ${inline(storyText(story))}`,
    '#### Acceptance Criteria',
    criteria.map((text, number) => `${number + 1}. ${inline(text)}`).join('\n')
  ]).trimEnd()
}

const active = ({ requirements }: SpecDocument) => requirements.filter(({ status }) => status === 'active')

const requirements = (document: SpecDocument): string => join([
  '# Requirements Document',
  section('Introduction', join([
    paragraphs(document.summary)
  ]).trim()),
  section('Glossary', bullets(document.glossary.map(({ term, definition }) => `**${term}**: ${definition}`))),
  section('Requirements', active(document).map(requirement(document)).join('\n\n'))
])

const tasks = (document: SpecDocument): string => {
  const numbers = new Map(active(document).map(({ id }, at) => [id, `${at + 1}.1`]))
  const names = new Map<string, string>()
  const groups = tasksByComponent(document)
  groups.forEach(([, items], group) => items.forEach(({ id }, at) => names.set(id, `${group + 1}.${at + 1}`)))
  const lines = groups.map(([component, items], group) => [
    `- [ ] ${group + 1}. ${inline(component)}`,
    ...items.flatMap(({ id, title, requirement_ids: ids, depends_on: needs }) => [
      `  - [ ] ${names.get(id)} ${inline(title)}`,
      ...(needs.length > 0 ? [`    - After ${needs.flatMap((need) => names.get(need) ?? []).join(', ')}`] : []),
      ...(ids.length > 0 ? [`    - _Requirements: ${ids.flatMap((one) => numbers.get(one) ?? []).join(', ')}_`] : [])
    ])
  ].join('\n'))
  return join(['# Implementation Plan', lines.join('\n')])
}

/**
 * Renders the folder of a spec in Kiro's layout.
 * @param specId the session's id: every export of a spec has the same one, and no other spec, whatever its title
 */
export const toKiro = (document: SpecDocument, standards: readonly ResolvedStandard[], specId: string):
ExportFile[] => {
  const folder = `.kiro/specs/${slugOf(document.title)}`
  const type = specTypes[document.settings.spec_type] ?? 'feature'
  const config = { specId, workflowType: 'requirements-first', specType: type }
  return [
    { path: `${folder}/.config.kiro`, content: `${JSON.stringify(config)}\n` },
    { path: `${folder}/requirements.md`, content: requirements(document) },
    ...(document.design
      ? [{ path: `${folder}/design.md`, content: join(['# Design Document', document.design]) }]
      : []),
    ...(document.tasks.length > 0 ? [{ path: `${folder}/tasks.md`, content: tasks(document) }] : []),
    ...standards.map((standard) => ({ path: `.kiro/steering/${standard.key}.md`, content: toSteering(standard) }))
  ]
}
