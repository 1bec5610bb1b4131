import type { AskModel } from '../../../../lib/llm/ask.js'
import type { SpecDocument } from '../../../../schemas/pse/document.js'
import type { GenerateSpec } from '../../../../schemas/pse/generations.js'
import { composeModel, modelSteps } from '../model/steps.js'
import { fingerprintOf, taskFingerprint } from './fingerprint.js'
import { givenOf, importSpec, importVersion } from '../import/import-spec.js'
import { restrict } from './restrict.js'
import { compileTemplate, templateVersion, type TemplateTask } from './template.js'

export type EngineName = Exclude<SpecDocument['engine']['name'], 'import'>
/** Those in which an engine makes something. */
export type Mode = Exclude<GenerateSpec['mode'], 'check'>

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
  /** What has the form of a credential is not shown to the model. */
  redact: boolean
  maxRepairRounds: number
}

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

const importSteps = (task: GenerationTask, done: Results): Step[] => done.has('compile')
  ? []
  : [{
      key: 'compile',
      title: 'Take the files over',
      usesModel: false,
      fingerprint: fingerprintOf('import', importVersion, taskFingerprint(task)),
      run: async () => importSpec(task, givenOf(task.inputs))
    }]

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
  if (task.mode === 'import') return importSteps(task, done)
  return task.engine === 'template' ? templateSteps(task, done) : modelSteps(task, done)
}

/** @returns the document that the finished steps make: what the generation proposes, before the merge */
export const composeDocument = (task: GenerationTask, done: Results): SpecDocument => {
  if (task.engine === 'anthropic') return composeModel(task, done)
  // As the step of that key made it.
  const composed = (done.get('compile') ?? task.base) as SpecDocument | undefined
  if (!composed) throw new Error('No step has made a document')
  return composed
}
