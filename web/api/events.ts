import { requireStream } from 'steward-client'
import { send } from './client'
import { problemOf } from './problem'

export { pause } from 'steward-client'

/** @returns the response, which may be a 204: there is nothing to follow. @throws Problem */
export const openStream = (path: string, init: RequestInit): Promise<Response> => {
  const headers = { accept: 'text/event-stream', ...init.headers }
  return requireStream(send(path, { ...init, headers })).catch((error: unknown) => { throw problemOf(error) })
}
