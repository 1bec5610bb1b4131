import { requireStream } from '../../packages/client/src/follow'
import { send } from './client'
import { problemOf } from './problem'

export { pause } from '../../packages/client/src/follow'

/** @returns the response, which may be a 204: there is nothing to follow. @throws Problem */
export const openStream = (path: string, init: RequestInit): Promise<Response> => {
  const headers = { accept: 'text/event-stream', ...init.headers }
  return requireStream(send(path, { ...init, headers })).catch((error: unknown) => { throw problemOf(error) })
}
