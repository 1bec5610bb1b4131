import type { TSchema } from '@sinclair/typebox'
import type { SpecDocument } from 'steward-spec-engine/schemas'
import { fingerprintOf, taskFingerprint } from './fingerprint.js'
import { type GenerationTask, restrict } from 'steward-spec-engine/engine'
import type { Results, Step } from './pipeline.js'
import { runInProcess } from '../process/run-in-process.js'
import {
  asksFor, asksForGeneral, asksForRequirements, asksForStory, batchesOf, charsOf, DesignAnswer, EdgesAnswer,
  type Fact, FactsAnswer, FrameAnswer, isLarge, knownStories, QuestionsAnswer, readBatches, RequirementsAnswer,
  StoriesAnswer, TasksAnswer
} from 'steward-spec-engine/model'
import { factsPrompt, materialPrompt, promptVersion, systemPrompt, tasks } from './prompts.js'
import { repairRound, type Repaired } from './repair.js'

const maxTokens = 8_000
/** A part of large inputs has up to 80 requirements. */
const maxPartTokens = 16_000
/** How many calls of one generation run at once. */
const maxParallel = 4

interface Section {
  key: string
  title: string
  schema: TSchema
  prompt: string
  /** The chunks that it reads; default: all of them, or the facts of large inputs. */
  chunks?: ReadonlySet<string>
}

/** Large inputs are read in parts first; what asks of the whole reads the facts of the parts. */
const materialFor = (task: GenerationTask, { chunks }: Section, facts: readonly Fact[] | undefined): string => {
  if (chunks) return materialPrompt(task, chunks)
  return facts ? factsPrompt(task, facts) : materialPrompt(task)
}

const sectionStep = (task: GenerationTask, section: Section): Step => {
  const { key, title, schema, prompt } = section
  return {
    key,
    title,
    usesModel: true,
    fingerprint: fingerprintOf(key, promptVersion, schema, prompt, taskFingerprint(task)),
    run: (done, ask) => ask({
      system: systemPrompt(task),
      material: materialFor(task, section, answerOf(done, 'facts')),
      task: prompt,
      schema,
      maxTokens: section.chunks ? maxPartTokens : maxTokens
    })
  }
}

const codeStep = (task: GenerationTask, key: string, title: string, run: Step['run']): Step =>
  ({ key, title, usesModel: false, fingerprint: fingerprintOf(key, promptVersion, taskFingerprint(task)), run })

const frame = (task: GenerationTask) =>
  sectionStep(task, { key: 'frame', title: 'Frame', schema: FrameAnswer, prompt: tasks.frame(task) })

const stories = (task: GenerationTask) =>
  sectionStep(task, { key: 'stories', title: 'Stories', schema: StoriesAnswer, prompt: tasks.stories(task) })

const factKey = (number: number) => `facts:${number}` as const

/** One question for each part of large inputs. */
const factSteps = (task: GenerationTask): Step[] => {
  const batches = batchesOf(task)
  return readBatches(task).map((number) => {
    const chunks = new Set(batches[number - 1]?.chunks.map(({ chunk_id: id }) => id))
    return sectionStep(task, {
      key: factKey(number),
      title: `Part ${number} of ${batches.length}`,
      schema: FactsAnswer,
      prompt: tasks.facts(task, chunks),
      chunks
    })
  })
}

const factsOf = (task: GenerationTask, done: Results): Record<number, FactsAnswer> =>
  Object.fromEntries(readBatches(task).flatMap((number) => {
    const answer = answerOf(done, factKey(number))
    return answer ? [[number, answer]] : []
  }))

/** The questions about requirements; those of large inputs are asked with their parts. */
const requirementSteps = (task: GenerationTask, list: StoriesAnswer['stories']): Step[] => [
  ...list.map((story, at) => sectionStep(task, {
    key: `requirements:${at + 1}`,
    title: `Requirements: ${story.title}`,
    schema: RequirementsAnswer,
    prompt: tasks.storyRequirements(task, story)
  })).filter((_, at) => asksForStory(task, task.base?.stories[at]?.id)),
  ...asksForGeneral(task)
    ? [sectionStep(task, {
        key: 'requirements:general',
        title: 'Requirements of the whole',
        schema: RequirementsAnswer,
        prompt: tasks.generalRequirements(task)
      })]
    : []
]

/** The steps after the stories; none depends on another. */
const parts = (task: GenerationTask, { stories: list }: StoriesAnswer): Step[] => [
  ...isLarge(charsOf(task)) ? [] : requirementSteps(task, list),
  ...asksFor(task, 'edges')
    ? [sectionStep(task, {
        key: 'edges', title: 'Edge cases and success', schema: EdgesAnswer, prompt: tasks.edges(task)
      })]
    : [],
  ...asksFor(task, 'questions')
    ? [sectionStep(task, {
        key: 'questions', title: 'Assumptions and questions', schema: QuestionsAnswer, prompt: tasks.questions(task)
      })]
    : []
]

const noFrame: FrameAnswer = { summary: '', problem: '', goals: [], non_goals: [], actors: [], glossary: [] }
const noEdges: EdgesAnswer = { edge_cases: [], success_criteria: [], risks: [] }
const noQuestions: QuestionsAnswer = { assumptions: [], questions: [] }

/** The results of the steps by their keys. */
interface Answers {
  [part: `requirements:${string}`]: RequirementsAnswer
  [part: `facts:${number}`]: FactsAnswer
  [round: `repair:${number}`]: Repaired
  facts: Fact[]
  frame: FrameAnswer
  stories: StoriesAnswer
  edges: EdgesAnswer
  questions: QuestionsAnswer
  assemble: SpecDocument
  design: DesignAnswer
  tasks: TasksAnswer
}

const answerOf = <K extends keyof Answers>(done: Results, key: K) =>
  // The step's schema validated it before it was stored.
  done.get(key) as Answers[K] | undefined

const storiesOf = (task: GenerationTask, done: Results): StoriesAnswer =>
  answerOf(done, 'stories') ?? knownStories(task)

/** Parts that were not generated are empty here; restrict() takes them from the base. */
const answersOf = (task: GenerationTask, done: Results) => {
  const known = storiesOf(task, done)
  const items = (key: `requirements:${string}`) => answerOf(done, key)?.requirements ?? []
  return {
    frame: answerOf(done, 'frame') ?? noFrame,
    stories: known,
    requirements: [
      ...known.stories.map((_, at) => ({ story: at, items: items(`requirements:${at + 1}`) })),
      { story: undefined, items: items('requirements:general') },
      ...Object.values(factsOf(task, done)).map(({ requirements }) => ({ story: undefined, items: requirements }))
    ],
    edges: answerOf(done, 'edges') ?? noEdges,
    questions: answerOf(done, 'questions') ?? noQuestions
  }
}

const drafted = (done: Results) => {
  const document = answerOf(done, 'assemble')
  if (!document) throw new Error('Nothing has been assembled')
  return document
}

const extras = (task: GenerationTask, document: SpecDocument): Step[] => {
  const { requirements } = document
  return [
    ...(asksFor(task, 'design')
      ? [sectionStep(task, {
          key: 'design', title: 'Design', schema: DesignAnswer, prompt: tasks.design(task, requirements)
        })]
      : []),
    ...(asksFor(task, 'tasks')
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
  const design = answerOf(done, 'design')
  const list = answerOf(done, 'tasks')?.tasks
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

const repair = (task: GenerationTask, round: number, results: Results): Step => {
  const before = answerOf(results, `repair:${round - 1}`)
  const document = before?.document ?? withExtras(task, results)
  return {
    key: `repair:${round}`,
    title: `Repair, round ${round}`,
    usesModel: true,
    fingerprint: fingerprintOf('repair', round, promptVersion, document, before?.asked, taskFingerprint(task)),
    run: async (_, ask) => {
      const repaired = await repairRound(task, document, before?.asked ?? [], ask)
      return { ...repaired, document: restrict(task, repaired.document) } satisfies Repaired
    }
  }
}

/** @returns the next round of repair while the last one improved something */
const nextRound = (task: GenerationTask, done: Results): Step[] => {
  if (!asksForRequirements(task)) return []
  for (let round = 1; round <= task.maxRepairRounds; round++) {
    const held = answerOf(done, `repair:${round}`)
    if (!held) return [repair(task, round, done)]
    if (held.accepted.length === 0) return []
  }
  return []
}

const repaired = (task: GenerationTask, done: Results): SpecDocument => {
  const rounds = Array.from({ length: task.maxRepairRounds }, (_, at) => answerOf(done, `repair:${at + 1}`))
  return rounds.findLast((round) => round !== undefined)?.document ?? withExtras(task, done)
}

const missing = (steps: Step[], done: Results): Step[] =>
  steps.filter(({ key }) => !done.has(key)).slice(0, maxParallel)

/** @returns the steps that can run now, with a model */
export const modelSteps = (task: GenerationTask, done: Results): Step[] => {
  if (task.mode === 'repair' && task.base) return nextRound(task, done)
  const read = missing(factSteps(task), done)
  if (read.length > 0) return read
  if (isLarge(charsOf(task)) && !done.has('facts')) {
    return [codeStep(task, 'facts', 'Prove the facts', (results) =>
      runInProcess('gradeFacts', task, factsOf(task, results)))]
  }
  const opening = [...asksFor(task, 'frame') ? [frame(task)] : [], ...asksFor(task, 'stories') ? [stories(task)] : []]
  const first = missing(opening, done)
  if (first.length > 0) return first
  const second = missing(parts(task, storiesOf(task, done)), done)
  if (second.length > 0) return second
  if (!done.has('assemble')) {
    return [codeStep(task, 'assemble', 'Prove and assemble',
      (results) => runInProcess('assemble', task, answersOf(task, results)))]
  }
  const third = missing(extras(task, drafted(done)), done)
  if (third.length > 0) return third
  return nextRound(task, done)
}

/** @returns the document that the finished steps propose, with a model */
export const composeModel = (task: GenerationTask, done: Results): SpecDocument => repaired(task, done)
