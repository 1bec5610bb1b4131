import type { AskModel, Prompt, ReadModel } from '../../../../../lib/llm/ask.js'
import { ModelError } from '../../../../../lib/llm/errors.js'
import type { GenerationTask } from 'steward-spec-engine/engine'
import { nextSteps } from '../../../../../routes/pse/lib/model/pipeline.js'
import type { Model, Results } from '../../../../../routes/pse/lib/model/step.js'
import type { Failed } from '../../../../../routes/pse/lib/model/steps.js'
import { session, source } from '../../../../../packages/spec-engine/test/engine/material.js'

export const taskOf = (text: string, more: Partial<GenerationTask> = {}): GenerationTask => ({
  session: session({ max_requirements: 500 }),
  inputs: [source(text)],
  standards: [],
  version: 1,
  engine: 'anthropic',
  model: 'scripted',
  mode: 'full',
  targets: [],
  instructions: '',
  redact: true,
  maxRepairRounds: 0,
  ...more
})

/** An answer as text, cut or whole, or what the provider throws. */
export type Scripted = string | { cut: string } | ModelError

type Kind = 'part' | 'rest' | 'judge' | 'repair'
const kindOf = ({ task }: Prompt): Kind =>
  (Object.entries({ part: /read this part/, rest: /say of each/, judge: /judge each/, repair: /repair/ }) as [Kind, RegExp][])
    .find(([, words]) => words.test(task))?.[0] ?? 'part'

/** The numbers of the sentences that a prompt shows, by their text. */
export const numbersOf = ({ material }: Prompt): Map<string, number> =>
  new Map([...material.matchAll(/^\[(\d+)\] (?:\{[^}]*\} )?(.*)$/gm)].map(([, number, text = '']) => [text, Number(number)]))

/** A model that answers each kind of question with what the test says. */
export const scripted = (script: Partial<Record<Kind, (prompt: Prompt, time: number) => Scripted>>) => {
  const prompts: (Prompt & { kind: Kind })[] = []
  const answer = (prompt: Prompt): Scripted => {
    const kind = kindOf(prompt)
    prompts.push({ ...prompt, kind })
    const time = prompts.filter((one) => one.kind === kind).length
    return script[kind]?.(prompt, time) ?? '{}'
  }
  const read: ReadModel = async (prompt, reader) => {
    const said = answer(prompt)
    if (said instanceof ModelError) throw said
    const value = typeof said === 'string' ? reader(said, false) : reader(said.cut, true)
    if (value === undefined) throw new ModelError('schema_invalid', 'The answer of the model does not fit.', false)
    return value
  }
  const ask: AskModel = async (prompt) => JSON.parse(String(answer(prompt)))
  return { model: { ask, read }, prompts }
}

/** Runs a task to its end, as the worker does: a step that may fail alone is left out. */
export const run = async (task: GenerationTask, model: Model, done = new Map<string, unknown>()): Promise<Results> => {
  for (let steps = nextSteps(task, done); steps.length > 0; steps = nextSteps(task, done)) {
    await Promise.all(steps.map(async (step) => {
      try {
        // Results are stored as JSON.
        done.set(step.key, JSON.parse(JSON.stringify(await step.run(done, model))))
      } catch (error) {
        if (!step.mayFail || !(error instanceof ModelError)) throw error
        done.set(step.key, { failed: { code: error.code, message: error.message } } satisfies Failed)
      }
    }))
  }
  return done
}
