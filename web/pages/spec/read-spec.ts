import { api, body } from '../../api/client'

/** @returns the session with its current version, if there is one */
export const readSpec = async (id: string, signal?: AbortSignal) => {
  const path = { session_id: id }
  const session = await body(api.GET('/pse/sessions/{session_id}', { params: { path }, signal }))
  const number = session.current_version
  if (number === null) return { session, version: null }
  const params = { path: { ...path, version: number } }
  return { session, version: await body(api.GET('/pse/sessions/{session_id}/versions/{version}', { params, signal })) }
}
