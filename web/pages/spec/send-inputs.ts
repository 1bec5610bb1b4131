import { api, body, type Schemas } from '../../api/client'
import { Problem, problemOf } from '../../api/problem'
import { isSame } from '../../parts/kept'
import { readSpec } from './read-spec'
import type { Version } from './index'
import { say } from '../../texts/say'

type SpecDocument = Schemas['SpecDocument']

/** Others may write that often while one change is sent. */
const most = 10

/** Every contribution of a person is an input: texts, answers, edits, waivers. */
export const sendInputs = (id: string, ...inputs: Schemas['NewInput'][]) =>
  body(api.POST('/pse/sessions/{session_id}/inputs', { params: { path: { session_id: id } }, body: { inputs } }))

export interface Change {
  /** @returns what the change is about: where a newer version has it otherwise, the change is not sent */
  of: (document: SpecDocument) => unknown
  op: (document: SpecDocument) => Schemas['EditOp']
}

/** Sends edits that rest on nothing of the version, such as decisions of sentences: they hold for the newest one. */
export const sendOps = async (id: string, ops: Schemas['EditOp'][]): Promise<void> => {
  for (let left = most; ; left--) {
    const { current_version: version } = await body(api.GET('/pse/sessions/{session_id}', { params: { path: { session_id: id } } }))
    try {
      await sendInputs(id, { kind: 'edit', base_version: version ?? 1, ops })
      return
    } catch (error) {
      const problem = problemOf(error)
      if (problem.code !== 'base_version_stale' || left === 0) throw problem
    }
  }
}

/** The code of the problem that others have changed the same part. */
export const changedMeanwhile = 'changed_meanwhile'

/** @returns the newest version, if it has the same of what is changed */
const readSame = async (id: string, began: Version, of: Change['of']): Promise<Version> => {
  const { version } = await readSpec(id)
  if (version && isSame(of(version.document), of(began.document))) return version
  throw new Problem(changedMeanwhile, 409,
    say('spec.meanwhile', { version: String(version?.version ?? began.version) }), { version })
}

/**
 * Sends an edit, which makes the next version. What others have changed in other parts since `began` stays.
 * @throws changed_meanwhile with the newest version where they have changed the same part
 */
export const sendEdit = async (id: string, began: Version, { of, op }: Change): Promise<void> => {
  let base = began
  for (let left = most; ; left--) {
    try {
      await sendInputs(id, { kind: 'edit', base_version: base.version, ops: [op(base.document)] })
      return
    } catch (error) {
      const problem = problemOf(error)
      if (problem.code !== 'base_version_stale' || left === 0) throw problem
    }
    base = await readSame(id, began, of)
  }
}
