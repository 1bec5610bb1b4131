import type { SpecDocument } from 'steward-spec-engine/schemas'
import type { Results, Step } from './step.js'
import { composeModel, modelSteps } from './steps.js'
import { fingerprintOf, taskFingerprint } from './fingerprint.js'
import { GenerationFailed } from '../generation/generation-state.js'
import { importVersion } from 'steward-spec-engine/import'
import { runInProcess } from '../process/run-in-process.js'
import { templateVersion, type GenerationTask } from 'steward-spec-engine/engine'

const importFiles = async (task: GenerationTask): Promise<SpecDocument> => {
  const imported = await runInProcess('importFiles', task)
  if (imported) return imported
  throw new GenerationFailed('nothing_to_import', 'The files of the inputs hold no requirement')
}

const importSteps = (task: GenerationTask, done: Results): Step[] => done.has('compile')
  ? []
  : [{
      key: 'compile',
      title: 'Take the files over',
      usesModel: false,
      fingerprint: fingerprintOf('import', importVersion, taskFingerprint(task)),
      run: () => importFiles(task)
    }]

const templateSteps = (task: GenerationTask, done: Results): Step[] => done.has('compile') || task.mode === 'repair'
  ? []
  : [{
      key: 'compile',
      title: 'Compile the inputs',
      usesModel: false,
      fingerprint: fingerprintOf('compile', templateVersion, taskFingerprint(task)),
      run: () => runInProcess('compile', task)
    }]

/**
 * @returns the steps that can run concurrently now. To make a document, run them, store their results, and call this
 *   again until it returns none
 */
export const nextSteps = (task: GenerationTask, done: Results): Step[] => {
  if (task.mode === 'import') return importSteps(task, done)
  return task.engine === 'template' ? templateSteps(task, done) : modelSteps(task, done)
}

/** @returns the document that the finished steps propose, before the merge */
export const composeDocument = (task: GenerationTask, done: Results): SpecDocument => {
  if (task.engine === 'anthropic') return composeModel(task, done)
  // The step of that key returns this type.
  const composed = (done.get('compile') ?? task.base) as SpecDocument | undefined
  if (!composed) throw new Error('No step has made a document')
  return composed
}
