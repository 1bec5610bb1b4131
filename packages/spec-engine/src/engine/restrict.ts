import type { SpecDocument } from '../schemas/document.js'
import type { GenerationTask } from './task.js'

/** Document fields that a target can name as sections.<key>. */
export const sectionFields = ['summary', 'problem', 'goals', 'non_goals', 'actors', 'glossary', 'stories',
  'requirements', 'entities', 'interfaces', 'edge_cases', 'success_criteria', 'risks', 'assumptions',
  'open_questions', 'decisions', 'design', 'tasks'] as const
export type SectionField = typeof sectionFields[number]

interface Named { id: string }

/** @returns the old list, with targeted items from the new one */
const swap = <T extends Named>(before: readonly T[], now: readonly T[], targets: ReadonlySet<string>): T[] => {
  const found = new Map(now.map((item) => [item.id, item]))
  return before.map((item) => targets.has(item.id) ? found.get(item.id) ?? item : item)
}

const partOf = <K extends SectionField>(key: K, base: SpecDocument, made: SpecDocument, targets: ReadonlySet<string>) =>
  ({ [key]: targets.has(`sections.${key}`) ? made[key] : base[key] })

const extras = (base: SpecDocument, made: SpecDocument, targets: ReadonlySet<string>) => {
  const found = new Map(made.sections.map((section) => [section.key, section]))
  return base.sections.map((section) =>
    targets.has(`sections.${section.key}`) ? found.get(section.key) ?? section : section)
}

/** @returns the new document in mode full or without a base; otherwise the base with the targets from the new one */
export const restrict = ({ mode, targets: list, base }: Pick<GenerationTask, 'mode' | 'targets' | 'base'>,
  made: SpecDocument): SpecDocument => {
  if (mode === 'full' || !base) return made
  const targets = new Set(list)
  const parts = Object.assign({}, ...sectionFields.map((key) => partOf(key, base, made, targets))) as
    // There is one part for each key.
    Pick<SpecDocument, SectionField>
  return {
    ...made,
    title: base.title,
    ...parts,
    ...(!targets.has('sections.stories') && { stories: swap(base.stories, made.stories, targets) }),
    ...(!targets.has('sections.requirements') && { requirements: swap(base.requirements, made.requirements, targets) }),
    sections: extras(base, made, targets),
    locked_sections: base.locked_sections
  }
}
