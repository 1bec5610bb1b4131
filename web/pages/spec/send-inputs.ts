import { api, body, type Schemas } from '../../api/client'

/** Everything that people tell a spec is an input: texts, answers, edits, waivers. */
export const sendInputs = (id: string, ...inputs: Schemas['NewInput'][]) =>
  body(api.POST('/pse/sessions/{session_id}/inputs', { params: { path: { session_id: id } }, body: { inputs } }))

/** @returns what changes the version, and makes the next */
export const editOf = (version: { version: number }, ...ops: Schemas['EditOp'][]): Schemas['NewInput'] =>
  ({ kind: 'edit', base_version: version.version, ops })
