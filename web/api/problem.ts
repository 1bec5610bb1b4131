import { signal } from '@preact/signals'
import { Problem, problemOf as toProblem } from 'steward-client'
import { checkConnection } from './connection'

export { Problem }

/** True from the first 401 until a person signs in. */
export const signedOut = signal(false)

/** @returns the problem of an error response, or of a failed request */
export const problemOf = (error: unknown, response?: Response): Problem => {
  const problem = toProblem(error, response)
  if (problem.code === 'unreachable') checkConnection()
  if (problem.status === 401) signedOut.value = true
  return problem
}
