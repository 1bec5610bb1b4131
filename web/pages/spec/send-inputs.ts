import { api, body, type Schemas } from '../../api/client'

/** Every contribution of a person is an input: texts, answers, edits, waivers. */
export const sendInputs = (id: string, ...inputs: Schemas['NewInput'][]) =>
  body(api.POST('/pse/sessions/{session_id}/inputs', { params: { path: { session_id: id } }, body: { inputs } }))

/** @returns an input that edits the version, which makes the next version */
export const editOf = (version: { version: number }, ...ops: Schemas['EditOp'][]): Schemas['NewInput'] =>
  ({ kind: 'edit', base_version: version.version, ops })
