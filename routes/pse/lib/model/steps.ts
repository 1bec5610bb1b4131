import type { Reader } from '../../../../lib/llm/ask.js'
import type { Requirement, SpecDocument } from 'steward-spec-engine/schemas'
import { type GenerationTask, restrict } from 'steward-spec-engine/engine'
import {
  type Answers, DesignAnswer, JudgeAnswer, type Part, PartAnswer, type PartResult, readItems, type RestAnswer as Rest,
  RestAnswer, TasksAnswer
} from 'steward-spec-engine/model'
import { GenerationFailed } from '../generation/generation-state.js'
import { runInProcess } from '../process/run-in-process.js'
import { fingerprintOf, taskFingerprint } from './fingerprint.js'
import type { Model, Results, Step } from './step.js'
import { promptVersion, Shown, systemPrompt, tasks } from './prompts.js'
import { repairRound, type Repaired } from './repair.js'

const maxTokens = 16_000
/** How often a cut answer is continued. */
const maxContinued = 3
/** How many calls of one generation run at once. */
const maxParallel = 4
/** Requirements that one call judges. */
const judgedAtOnce = 120

/** What became of a step that may fail alone. */
export interface Failed { failed: { code: string, message: string } }
type Judged = { verdicts: JudgeAnswer['verdicts'], dropped: string[] }
type RestResult = Rest & { dropped: string[] }

/** The results of the steps by their keys. */
interface ResultsByKey {
  number: Part[]
  [part: `part:${number}`]: PartResult | Failed
  [part: `rest:${number}`]: RestResult | Failed
  [part: `judge:${number}`]: Judged | Failed
  [round: `repair:${number}`]: Repaired
  assemble: SpecDocument
  design: DesignAnswer
  tasks: TasksAnswer
}

const answerOf = <K extends keyof ResultsByKey>(done: Results, key: K) =>
  // The step has checked it before it was stored.
  done.get(key) as ResultsByKey[K] | undefined

const isFailed = (value: object | undefined): value is Failed => value !== undefined && 'failed' in value
const wholeOf = <T extends object>(value: T | Failed | undefined): T | undefined => isFailed(value) ? undefined : value

const numbersIn = ({ from, lines }: Part): number[] => lines.map((_, at) => from + at)

/** @returns the sentences that the items of an answer stand on */
const citedBy = ({ requirements, stories, notes, questions }: PartAnswer): Set<number> =>
  new Set([...requirements, ...stories, ...notes, ...questions].flatMap(({ sentences }) => sentences))

const unite = (held: PartResult, more: PartResult): PartResult => ({
  requirements: [...held.requirements, ...more.requirements],
  stories: [...held.stories, ...more.stories],
  notes: [...held.notes, ...more.notes],
  questions: [...held.questions, ...more.questions],
  dropped: [...held.dropped, ...more.dropped],
  isCut: more.isCut
})

/** Asks for one part, and goes on where the answer is cut, until nothing new comes. */
const readPart = async (task: GenerationTask, parts: readonly Part[], part: Part, { read }: Model): Promise<PartResult> => {
  const numbers = new Set(numbersIn(part))
  const reader: Reader<PartResult> = (text, isCut) => {
    const found = readItems(PartAnswer, text, numbers)
    return found && { ...found.answer, dropped: found.dropped, isCut }
  }
  const prompt = { system: systemPrompt(task), material: new Shown(task, parts).part(part), schema: PartAnswer, maxTokens }
  let held: PartResult = { requirements: [], stories: [], notes: [], questions: [], dropped: [], isCut: true }
  for (let round = 0; held.isCut && round <= maxContinued; round++) {
    const done = [...citedBy(held)].sort((one, other) => one - other)
    const more = await read({ ...prompt, task: tasks.part(task, part, done) }, reader)
    const known = new Set(done)
    // What a continued answer repeats is there already.
    const isNew = ({ sentences }: { sentences: number[] }) => sentences.some((number) => !known.has(number))
    const fresh = {
      ...more,
      requirements: more.requirements.filter(isNew),
      stories: more.stories.filter(isNew),
      notes: more.notes.filter(isNew),
      questions: more.questions.filter(isNew)
    }
    held = unite(held, fresh)
    if (citedBy(fresh).size === 0) break
  }
  return held
}

/** @param mayFail the spec is made without it, and says so */
const modelStep = (task: GenerationTask, key: string, title: string, of: unknown, run: (model: Model) => Promise<unknown>,
  mayFail = true): Step => ({
  key,
  title,
  usesModel: true,
  mayFail,
  fingerprint: fingerprintOf(key, promptVersion, of, taskFingerprint(task)),
  run: (_, model) => run(model)
})

const codeStep = (task: GenerationTask, key: string, title: string, run: Step['run']): Step =>
  ({ key, title, usesModel: false, fingerprint: fingerprintOf(key, promptVersion, taskFingerprint(task)), run })

const partSteps = (task: GenerationTask, parts: readonly Part[]): Step[] => parts.map((part, at) =>
  modelStep(task, `part:${at + 1}`, `Part ${at + 1} of ${parts.length}`, null, (model) => readPart(task, parts, part, model)))

/** The sentences of a part that no item cites go back once. */
const restSteps = (task: GenerationTask, parts: readonly Part[], done: Results): Step[] => parts.flatMap((part, at) => {
  const answer = wholeOf(answerOf(done, `part:${at + 1}`))
  const cited = answer && citedBy({ ...answer, questions: [] })
  const left = cited ? numbersIn(part).filter((number, line) => !cited.has(number) && part.lines[line]?.[3] !== '#') : []
  if (left.length === 0) return []
  const asked = new Set(left)
  return [modelStep(task, `rest:${at + 1}`, `What is left of part ${at + 1}`, left, ({ read }) => read({
    system: systemPrompt(task),
    material: new Shown(task, parts).part(part),
    task: tasks.rest(task, left),
    schema: RestAnswer,
    maxTokens
  }, (text) => {
    const found = readItems(RestAnswer, text, asked)
    return found && { ...found.answer, dropped: found.dropped }
  }))]
})

const requirementsOf = (parts: readonly Part[], done: Results) =>
  parts.flatMap((_, at) => wholeOf(answerOf(done, `part:${at + 1}`))?.requirements ?? [])

const judgeSteps = (task: GenerationTask, parts: readonly Part[], done: Results): Step[] => {
  const items = requirementsOf(parts, done)
  return Array.from({ length: Math.ceil(items.length / judgedAtOnce) }, (_, batch) => {
    const from = batch * judgedAtOnce
    const some = items.slice(from, from + judgedAtOnce)
    const numbers = new Set(some.map((_, at) => from + at + 1))
    return modelStep(task, `judge:${batch + 1}`, 'Compare requirements with their sentences', some, ({ read }) => {
      const shown = new Shown(task, parts)
      const list = some.map(({ statement, sentences }, at) =>
        `R${from + at + 1}: ${JSON.stringify(statement)}\n${shown.sentences(sentences).join('\n')}`)
      return read({
        system: systemPrompt(task),
        material: ['# Requirements, each with its sentences', ...list].join('\n\n'),
        task: tasks.judge(),
        schema: JudgeAnswer,
        maxTokens
      }, (text) => {
        const found = readItems(JudgeAnswer, text, numbers)
        return found && { ...found.answer, dropped: found.dropped }
      })
    })
  })
}

const keysOf = (done: Results, kind: 'part' | 'rest' | 'judge') =>
  [...done.keys()].filter((key): key is `part:${number}` => key.startsWith(`${kind}:`))

const droppedBy = (done: Results): string[] => (['part', 'rest', 'judge'] as const).flatMap((kind) =>
  keysOf(done, kind).flatMap((key) => wholeOf(answerOf(done, key))?.dropped.map((line) => `${key}: ${line}`) ?? []))

const failuresOf = (done: Results): [key: string, message: string][] => (['part', 'rest', 'judge'] as const).flatMap((kind) =>
  keysOf(done, kind).flatMap((key): [string, string][] => {
    const result = answerOf(done, key)
    return isFailed(result) ? [[key, result.failed.message]] : []
  }))

const maxReported = 10

/** @returns what a person must know of how the answers were read */
export const reportsOf = (done: Results): string[] => {
  const dropped = droppedBy(done)
  const names = {
    part: 'was not read; its sentences are undecided',
    rest: 'was not asked again about what is left',
    judge: 'was not judged'
  }
  return [
    ...failuresOf(done).map(([key, message]) => {
      const [kind = 'part', number] = key.split(':')
      return `Part ${number} ${names[kind as keyof typeof names]}: ${message}`
    }),
    ...dropped.slice(0, maxReported).map((line) => `An item of the model's answer was dropped: ${line}`),
    ...dropped.length > maxReported ? [`${dropped.length - maxReported} more items were dropped`] : []
  ]
}

const answersOf = (parts: readonly Part[], done: Results): Answers => {
  const reports = reportsOf(done)
  return {
    parts: parts.map(({ from, lines }, at) => {
      const result = answerOf(done, `part:${at + 1}`)
      const failed = isFailed(result) ? result.failed.message : undefined
      return { from, count: lines.length, answer: wholeOf(result), ...(failed !== undefined && { failed }) }
    }),
    groups: parts.flatMap((_, at) => wholeOf(answerOf(done, `rest:${at + 1}`))?.groups ?? []),
    verdicts: keysOf(done, 'judge').flatMap((key) => wholeOf(answerOf(done, key as `judge:${number}`))?.verdicts ?? []),
    notice: reports.length === 0 ? null : reports.join(' ').slice(0, 500).toWellFormed()
  }
}

/** Where no part was read there is no spec. */
const requireRead = (parts: readonly Part[], done: Results): void => {
  const results = parts.map((_, at) => answerOf(done, `part:${at + 1}`))
  const [first] = results
  if (isFailed(first) && results.every(isFailed)) throw new GenerationFailed(first.failed.code, first.failed.message)
}

const drafted = (done: Results) => {
  const document = answerOf(done, 'assemble')
  if (!document) throw new Error('Nothing has been assembled')
  return document
}

/** What a task is about, which is known before its inputs are read. */
export type Scoped = Pick<GenerationTask, 'mode' | 'targets' | 'base'> & {
  session: { settings: Pick<GenerationTask['session']['settings'], 'artifacts'> }
}

/** @returns whether the model writes the part of the document that none of the inputs has */
export const asksFor = ({ mode, targets, base, session }: Scoped, part: 'design' | 'tasks'): boolean =>
  mode !== 'full' && base ? targets.includes(`sections.${part}`) : session.settings.artifacts.includes(part)

const extras = (task: GenerationTask, requirements: readonly Requirement[]): Step[] => {
  const write = (key: 'design' | 'tasks', title: string, schema: typeof DesignAnswer | typeof TasksAnswer) => {
    const prompt = tasks[key](task, requirements)
    const material = '# The requirements below are the material'
    return modelStep(task, key, title, prompt,
      ({ ask }) => ask({ system: systemPrompt(task), material, task: prompt, schema, maxTokens }), false)
  }
  return [
    ...asksFor(task, 'design') ? [write('design', 'Design', DesignAnswer)] : [],
    ...asksFor(task, 'tasks') ? [write('tasks', 'Tasks', TasksAnswer)] : []
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
  return modelStep(task, `repair:${round}`, `Repair, round ${round}`, [document, before?.asked], async ({ ask }) => {
    const repaired = await repairRound(task, document, before?.asked ?? [], ask)
    return { ...repaired, document: restrict(task, repaired.document) } satisfies Repaired
  }, false)
}

/** @returns the next round, unless the last one changed nothing or all rounds are done */
const nextRound = (task: GenerationTask, done: Results): Step[] => {
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

/** @returns the steps that can run now, with a model: number, read the parts, ask for the rest, judge, assemble */
export const modelSteps = (task: GenerationTask, done: Results): Step[] => {
  if (task.mode === 'repair' && task.base) return nextRound(task, done)
  const parts = answerOf(done, 'number')
  if (!parts) return [codeStep(task, 'number', 'Number the sentences', () => runInProcess('number', task))]
  const reading = missing(partSteps(task, parts), done)
  if (reading.length > 0) return reading
  requireRead(parts, done)
  const more = missing([...restSteps(task, parts, done), ...judgeSteps(task, parts, done)], done)
  if (more.length > 0) return more
  if (!done.has('assemble')) {
    return [codeStep(task, 'assemble', 'Prove and assemble',
      (results) => runInProcess('assemble', task, answersOf(parts, results)))]
  }
  const third = missing(extras(task, drafted(done).requirements), done)
  if (third.length > 0) return third
  return nextRound(task, done)
}

/** @returns the document that the finished steps propose, with a model */
export const composeModel = (task: GenerationTask, done: Results): SpecDocument => repaired(task, done)
