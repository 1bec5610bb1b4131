import type { TSchema } from '@sinclair/typebox'
import type { SpecDocument } from '../../../../schemas/pse/document.js'
import { fingerprintOf, taskFingerprint } from '../engine/fingerprint.js'
import type { GenerationTask, Results, Step } from '../engine/pipeline.js'
import { restrict } from '../engine/restrict.js'
import { assemble } from './assemble.js'
import { materialPrompt, promptVersion, systemPrompt, tasks } from './prompts.js'
import { repairRound, type Repaired } from './repair.js'
import {
  DesignAnswer, EdgesAnswer, FrameAnswer, QuestionsAnswer, RequirementsAnswer, StoriesAnswer, TasksAnswer
} from './sections.js'

const maxTokens = 8_000
/** How many calls of one generation are under way at once. */
const maxParallel = 4

interface Section { key: string, title: string, schema: TSchema, prompt: string }

const sectionStep = (task: GenerationTask, { key, title, schema, prompt }: Section): Step => ({
  key,
  title,
  usesModel: true,
  fingerprint: fingerprintOf(key, promptVersion, schema, prompt, taskFingerprint(task)),
  run: (_, ask) => ask({
    system: systemPrompt(task), material: materialPrompt(task), task: prompt, schema, maxTokens
  })
})

const codeStep = (task: GenerationTask, key: string, title: string, run: Step['run'], usesModel = false): Step =>
  ({ key, title, usesModel, fingerprint: fingerprintOf(key, promptVersion, taskFingerprint(task)), run })

const frame = (task: GenerationTask) =>
  sectionStep(task, { key: 'frame', title: 'Frame', schema: FrameAnswer, prompt: tasks.frame(task) })

const stories = (task: GenerationTask) =>
  sectionStep(task, { key: 'stories', title: 'Stories', schema: StoriesAnswer, prompt: tasks.stories(task) })

/** What is asked once the stories are known; none of it needs another of these. */
const parts = (task: GenerationTask, { stories: list }: StoriesAnswer): Step[] => [
  ...list.map((story, at) => sectionStep(task, {
    key: `requirements:${at + 1}`,
    title: `Requirements: ${story.title}`,
    schema: RequirementsAnswer,
    prompt: tasks.storyRequirements(task, story)
  })),
  sectionStep(task, {
    key: 'requirements:general',
    title: 'Requirements of the whole',
    schema: RequirementsAnswer,
    prompt: tasks.generalRequirements(task)
  }),
  sectionStep(task, { key: 'edges', title: 'Edge cases and success', schema: EdgesAnswer, prompt: tasks.edges(task) }),
  sectionStep(task, {
    key: 'questions', title: 'Assumptions and questions', schema: QuestionsAnswer, prompt: tasks.questions(task)
  })
]

// The values below are what the steps of these keys gave, checked against their schemas before they were stored.
const answersOf = (done: Results) => {
  const told = done.get('stories') as StoriesAnswer
  const general = done.get('requirements:general') as RequirementsAnswer
  return {
    frame: done.get('frame') as FrameAnswer,
    stories: told,
    requirements: [
      ...told.stories.map((_, at) =>
        ({ story: at, items: (done.get(`requirements:${at + 1}`) as RequirementsAnswer).requirements })),
      { story: undefined, items: general.requirements }
    ],
    edges: done.get('edges') as EdgesAnswer,
    questions: done.get('questions') as QuestionsAnswer
  }
}

const drafted = (done: Results) => done.get('assemble') as SpecDocument

const extras = (task: GenerationTask, document: SpecDocument): Step[] => {
  const { artifacts } = task.session.settings
  const { requirements } = document
  return [
    ...(artifacts.includes('design')
      ? [sectionStep(task, {
          key: 'design', title: 'Design', schema: DesignAnswer, prompt: tasks.design(task, requirements)
        })]
      : []),
    ...(artifacts.includes('tasks')
      ? [sectionStep(task, {
          key: 'tasks',
          title: 'Tasks',
          schema: TasksAnswer,
          prompt: tasks.tasks(task, requirements)
        })]
      : [])
  ]
}

const withExtras = (task: GenerationTask, done: Results): SpecDocument => {
  const document = task.mode === 'repair' && task.base ? task.base : drafted(done)
  const design = done.get('design') as DesignAnswer | undefined
  const list = (done.get('tasks') as TasksAnswer | undefined)?.tasks
  const known = new Set(document.requirements.map(({ id }) => id))
  return {
    ...document,
    ...(design && { design: design.design }),
    ...(list && {
      tasks: list.map(({ title, requirement_ids: ids, parallel }, at) => ({
        id: `T${String(at + 1).padStart(3, '0')}`,
        title,
        requirement_ids: ids.filter((id) => known.has(id)),
        story_id: null,
        depends_on: [],
        parallel
      }))
    })
  }
}

const repair = (task: GenerationTask, round: number): Step =>
  codeStep(task, `repair:${round}`, `Repair, round ${round}`, async (done, ask) => {
    const before = done.get(`repair:${round - 1}`) as Repaired | undefined
    const repaired = await repairRound(task, before?.document ?? withExtras(task, done), before?.asked ?? [], ask)
    return { ...repaired, document: restrict(task, repaired.document) } satisfies Repaired
  }, true)

/** Rounds follow each other as long as they better something. */
const nextRound = (task: GenerationTask, done: Results): Step[] => {
  for (let round = 1; round <= task.maxRepairRounds; round++) {
    const held = done.get(`repair:${round}`) as Repaired | undefined
    if (!held) return [repair(task, round)]
    if (held.accepted.length === 0) return []
  }
  return []
}

const missing = (steps: Step[], done: Results): Step[] =>
  steps.filter(({ key }) => !done.has(key)).slice(0, maxParallel)

/** The steps that can run now, with a model. */
export const modelSteps = (task: GenerationTask, done: Results): Step[] => {
  if (task.mode === 'repair' && task.base) return nextRound(task, done)
  const first = missing([frame(task), stories(task)], done)
  if (first.length > 0) return first
  const second = missing(parts(task, done.get('stories') as StoriesAnswer), done)
  if (second.length > 0) return second
  if (!done.has('assemble')) {
    return [codeStep(task, 'assemble', 'Prove and assemble',
      async (results) => restrict(task, assemble(task, answersOf(results))))]
  }
  const third = missing(extras(task, drafted(done)), done)
  return third.length > 0 ? third : nextRound(task, done)
}

/** @returns what the finished steps make, with a model */
export const composeModel = (task: GenerationTask, done: Results): SpecDocument => {
  const rounds = Array.from({ length: task.maxRepairRounds }, (_, at) => done.get(`repair:${at + 1}`))
  const last = rounds.findLast((round) => round !== undefined) as Repaired | undefined
  return last?.document ?? withExtras(task, done)
}
