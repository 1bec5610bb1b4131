import { keepSet, loadCedar, type Cedar } from './cedar.js'
import { compileWith, type Compiled, type GroupIds, type PolicySet } from './compile.js'

/** What is asked, but for the name under which Cedar keeps the policies. */
export type Call = Omit<Cedar.StatefulAuthorizationCall, 'preparsedPolicySetId'>

/** The ids of the policies that matched, and those that could not be evaluated; or why there is no answer. */
export type Answer =
  | { kind: 'answer', reason: string[], errors: { policyId: string, message: string }[] }
  | { kind: 'failure', message: string }

const messagesOf = (errors: readonly { message: string }[]): string => errors.map(({ message }) => message).join('; ')

/** Whatever gives Cedar a text that somebody wrote, or a value that somebody sent. */
export const operations = {
  compile: async (text: string, groups: GroupIds, schema?: Cedar.SchemaJson<string>): Promise<Compiled> =>
    compileWith(await loadCedar(), text, groups, schema),

  authorize: async ({ digest, policies }: Pick<PolicySet, 'digest' | 'policies'>, calls: readonly Call[]):
  Promise<Answer[]> => {
    const cedar = await loadCedar()
    const slot = keepSet(cedar, digest, policies)
    if (slot === undefined) return calls.map(() => ({ kind: 'failure', message: 'The policies cannot be read' }))
    return calls.map((call): Answer => {
      const answer = cedar.statefulIsAuthorized({ ...call, preparsedPolicySetId: slot })
      if (answer.type === 'failure') return { kind: 'failure', message: messagesOf(answer.errors) }
      const { reason, errors } = answer.response.diagnostics
      return {
        kind: 'answer', reason, errors: errors.map(({ policyId, error: { message } }) => ({ policyId, message }))
      }
    })
  },

  schemaText: async (schema: Cedar.SchemaJson<string>): Promise<string> => {
    const answer = (await loadCedar()).schemaToText(schema)
    if (answer.type === 'failure') throw new Error(messagesOf(answer.errors))
    return answer.text
  }
}

export type Operations = typeof operations
