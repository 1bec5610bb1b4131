import { createHash } from 'node:crypto'
import type { GenerationTask } from 'steward-spec-engine/engine'

export const fingerprintOf = (...parts: unknown[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex')

const inputsOf = ({ inputs }: GenerationTask) => inputs.map(({ input_id, superseded, chunks, about }) =>
  [input_id, superseded, chunks.map(({ sha256 }) => sha256), about ?? null])

/** @returns a hash of everything that all steps of the task depend on */
export const taskFingerprint = (task: GenerationTask): string => {
  const { engine, model, mode, targets, instructions, redact, session, standards, base, version } = task
  return fingerprintOf(engine, model, mode, targets, instructions, redact, session, standards, base ?? null,
    version, inputsOf(task))
}
