import { signal } from '@preact/signals'
import { api, body, type Schemas } from '../api/client'
import { problemOf, signedOut, type Problem } from '../api/problem'

/** The signed-in user; undefined until it is loaded. */
export const me = signal<Schemas['Me'] | undefined>(undefined)
/** The providers that the sandbox emulates. */
export const sandboxed = signal<string[]>([])
/** What answers in the chat. */
export const answering = signal<Schemas['ModelConnection'] | undefined>(undefined)
export const startProblem = signal<Problem | undefined>(undefined)

/** A workspace that has connected a model has no sandbox of one. */
export const showAnswering = (found: Schemas['ModelConnection']): void => {
  answering.value = found
  const others = sandboxed.value.filter((name) => name !== 'anthropic')
  sandboxed.value = found.answers === 'guided' ? ['anthropic', ...others] : others
}

export const loadSession = async (): Promise<void> => {
  startProblem.value = undefined
  try {
    me.value = await body(api.GET('/account/me'))
    signedOut.value = false
    const [ready, model] = await Promise.all([body(api.GET('/ready')), body(api.GET('/account/workspace/model'))])
    sandboxed.value = ready.sandboxed
    showAnswering(model)
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
