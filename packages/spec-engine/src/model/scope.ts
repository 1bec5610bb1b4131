import type { SpecDocument } from '../schemas/document.js'
import type { GenerationTask } from '../engine/task.js'
import type { StoriesAnswer } from './sections.js'

/** The sections in each part of the model's answer. */
const answers = {
  frame: ['summary', 'problem', 'goals', 'non_goals', 'actors', 'glossary'],
  stories: ['stories'],
  edges: ['edge_cases', 'success_criteria', 'risks'],
  questions: ['assumptions', 'open_questions'],
  design: ['design'],
  tasks: ['tasks']
} as const

export type Part = keyof typeof answers

export type Scoped = Pick<GenerationTask, 'mode' | 'targets' | 'base'> & {
  session: { settings: Pick<GenerationTask['session']['settings'], 'artifacts'> }
}

const isPart = ({ mode, base }: Scoped): boolean => mode !== 'full' && base !== undefined

const namesSection = ({ targets }: Scoped, key: string): boolean => targets.includes(`sections.${key}`)

/** @returns whether the model generates that part of the document */
export const asksFor = (task: Scoped, part: Part): boolean => {
  if (isPart(task)) return answers[part].some((key) => namesSection(task, key))
  return (part !== 'design' && part !== 'tasks') || task.session.settings.artifacts.includes(part)
}

/** @returns the active requirements that the targets name */
export const namedRequirements = ({ targets, base }: Scoped): SpecDocument['requirements'] =>
  (base?.requirements ?? []).filter(({ id, status }) => status === 'active' && targets.includes(id))

/** @returns whether the model generates all requirements */
export const asksForAll = (task: Scoped): boolean => !isPart(task) || namesSection(task, 'requirements')

/** @returns whether the model generates the requirements of this story of the base */
export const asksForStory = (task: Scoped, id: string | undefined): boolean => asksForAll(task) ||
  (id !== undefined && namedRequirements(task).some(({ story_ids: ids }) => ids.includes(id)))

/** @returns whether the model generates the requirements that belong to no story */
export const asksForGeneral = (task: Scoped): boolean => {
  const known = new Set(task.base?.stories.map(({ id }) => id))
  return asksForAll(task) || namedRequirements(task).some(({ story_ids: ids }) => !ids.some((id) => known.has(id)))
}

export const asksForRequirements = (task: Scoped): boolean => asksForAll(task) || namedRequirements(task).length > 0

/** @returns the stories of the base in the form of the model's answer */
export const knownStories = ({ base }: Scoped): StoriesAnswer => ({
  stories: (base?.stories ?? []).map(({ title, role, want, so_that, priority, independent_test, citations }) => ({
    title,
    role,
    want,
    so_that,
    priority,
    independent_test,
    citations: citations.map(({ chunk_id, quote }) => ({ chunk_id, quote }))
  }))
})
