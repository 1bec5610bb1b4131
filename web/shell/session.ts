import { signal } from '@preact/signals'
import { api, body, type Schemas } from '../api/client'
import { problemOf, signedOut, type Problem } from '../api/problem'

/** The signed-in user; undefined until it is loaded. */
export const me = signal<Schemas['Me'] | undefined>(undefined)
/** The providers that the sandbox emulates. */
export const sandboxed = signal<string[]>([])
export const startProblem = signal<Problem | undefined>(undefined)

export const loadSession = async (): Promise<void> => {
  startProblem.value = undefined
  try {
    me.value = await body(api.GET('/account/me'))
    signedOut.value = false
    const ready = await body(api.GET('/ready'))
    sandboxed.value = ready.sandboxed
  } catch (error) {
    const problem = problemOf(error)
    if (problem.status !== 401) startProblem.value = problem
  }
}

export const signOut = async (): Promise<void> => {
  const { url } = await body(api.POST('/account/identity-sign-out'))
  me.value = undefined
  signedOut.value = true
  // There the session at the identity provider ends, too, and leads back.
  if (url !== null) location.assign(url)
}
