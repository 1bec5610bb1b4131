import { createHash } from 'node:crypto'
import type { TSchema } from '@sinclair/typebox'
import type { SpecDocument } from '../../../../schemas/pse/document.js'
import { restrict } from './restrict.js'
import { compileTemplate, templateVersion, type TemplateTask } from './template.js'

export type EngineName = SpecDocument['engine']['name']
export type Mode = 'full' | 'sections' | 'requirements' | 'repair'

/** What one generation is to make. The same task gives the same steps with the same fingerprints. */
export interface GenerationTask extends TemplateTask {
  engine: EngineName
  /** The model that is asked; null for the template engine. */
  model: string | null
  mode: Mode
  /** In modes other than full: sections.<key>, ids of requirements and stories. All else stays as it is. */
  targets: readonly string[]
  /** What the caller adds to the prompts; '' = nothing. */
  instructions: string
  maxRepairRounds: number
}

/** One question to the model, answered by JSON that fits the schema. */
export interface Prompt {
  /** Rules and standards: the same for all steps of a generation. */
  system: string
  /** The inputs, fenced as data: the same for all steps too, so that the prompt cache holds both. */
  material: string
  task: string
  schema: TSchema
  maxTokens: number
}

/** @throws ModelError: of the provider, or output_truncated, model_refused, schema_invalid */
export type AskModel = (prompt: Prompt) => Promise<unknown>

/** The values of the steps that are done, by their keys: JSON, as it is stored. */
export type Results = ReadonlyMap<string, unknown>

export interface Step {
  /** Unique in the generation, such as "frame", "requirements:US-1", "repair:1". */
  key: string
  title: string
  usesModel: boolean
  /** SHA-256 of all that the value depends on: a done step with the same one need not run again. */
  fingerprint: string
  /** @returns JSON. Pure but for `ask`; may be run again after a crash */
  run: (results: Results, ask: AskModel) => Promise<unknown>
}

export const fingerprintOf = (...parts: unknown[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex')

const inputsOf = ({ inputs }: GenerationTask) => inputs.map(({ input_id, superseded, chunks, about }) =>
  [input_id, superseded, chunks.map(({ sha256 }) => sha256), about ?? null])

/** @returns the hash of everything that all steps of the task depend on */
export const taskFingerprint = (task: GenerationTask): string => {
  const { engine, model, mode, targets, instructions, session, standards, base, version } = task
  return fingerprintOf(engine, model, mode, targets, instructions, session, standards, base ?? null, version,
    inputsOf(task))
}

const templateSteps = (task: GenerationTask, done: Results): Step[] => done.has('compile') || task.mode === 'repair'
  ? []
  : [{
      key: 'compile',
      title: 'Compile the inputs',
      usesModel: false,
      fingerprint: fingerprintOf('compile', templateVersion, taskFingerprint(task)),
      run: async () => restrict(task, compileTemplate(task))
    }]

/**
 * The steps that can run now, at the same time. To make a document: run these, keep their values, ask again, until
 * there are none.
 */
export const nextSteps = (task: GenerationTask, done: Results): Step[] => {
  if (task.engine !== 'template') throw new Error(`The engine ${task.engine} has no steps`)
  return templateSteps(task, done)
}

/** @returns the document that the finished steps make: what the generation proposes, before the merge */
export const composeDocument = (task: GenerationTask, done: Results): SpecDocument => {
  // The last step's value is the document, as the step of that key wrote it.
  const composed = (done.get('assemble') ?? done.get('compile') ?? task.base) as SpecDocument | undefined
  if (!composed) throw new Error('No step has made a document')
  return composed
}
