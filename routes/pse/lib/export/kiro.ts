import { createHash } from 'node:crypto'
import type { Requirement, SpecDocument } from '../../../../schemas/pse/document.js'
import type { ResolvedStandard } from '../../../../schemas/pse/standards.js'
import type { ExportFile } from './files.js'
import { toSteering } from './standards.js'
import { bullets, inline, join, paragraphs, section, slugOf } from './text.js'

const specTypes: Partial<Record<SpecDocument['settings']['spec_type'], string>> = { bugfix: 'bugfix' }

/** Derives the id from the title, so that every export of a spec has the same one. */
const idOf = (document: SpecDocument): string => {
  const hash = createHash('sha256').update(document.title).digest('hex')
  return [hash.slice(0, 8), hash.slice(8, 12), `8${hash.slice(13, 16)}`, `8${hash.slice(17, 20)}`, hash.slice(20, 32)]
    .join('-')
}

const requirement = (document: SpecDocument) => (item: Requirement, at: number): string => {
  const story = document.stories.find(({ id }) => item.story_ids.includes(id))
  const criteria = [item.statement, ...item.acceptance.map(({ given, when, then }) =>
    `GIVEN ${given || 'no precondition'}, WHEN ${when}, THEN ${then}`)]
  return join([
    `### Requirement ${at + 1}: ${inline(item.title)}`,
    story && `**User Story:** ${inline(`As ${story.role}, I want to ${story.want}` +
      `${story.so_that && `, so that ${story.so_that}`}`)}`,
    '#### Acceptance Criteria',
    criteria.map((text, number) => `${number + 1}. ${inline(text)}`).join('\n')
  ]).trimEnd()
}

const active = ({ requirements }: SpecDocument) => requirements.filter(({ status }) => status === 'active')

const requirements = (document: SpecDocument): string => join([
  '# Requirements Document',
  section('Introduction', join([
    document.engine.notice && `> ${inline(document.engine.notice)}`, paragraphs(document.summary)
  ]).trim()),
  section('Glossary', bullets(document.glossary.map(({ term, definition }) => `**${term}**: ${definition}`))),
  section('Requirements', active(document).map(requirement(document)).join('\n\n'))
])

const tasks = (document: SpecDocument): string => {
  const numbers = new Map(active(document).map(({ id }, at) => [id, `${at + 1}.1`]))
  const lines = document.tasks.map(({ title, requirement_ids: ids }, at) => [
    `- [ ] ${at + 1}. ${inline(title)}`,
    ...(ids.length > 0 ? [`  - _Requirements: ${ids.flatMap((id) => numbers.get(id) ?? []).join(', ')}_`] : [])
  ].join('\n'))
  return join(['# Implementation Plan', lines.join('\n')])
}

/** Renders the folder of a spec in Kiro's layout. */
export const toKiro = (document: SpecDocument, standards: readonly ResolvedStandard[]): ExportFile[] => {
  const folder = `.kiro/specs/${slugOf(document.title)}`
  const type = specTypes[document.settings.spec_type] ?? 'feature'
  const config = { specId: idOf(document), workflowType: 'requirements-first', specType: type }
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
