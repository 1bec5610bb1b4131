import { setFlagsFromString } from 'node:v8'
import type { Cedar, CedarModule } from './cedar.js'
import { compileWith, type Compiled, type GroupIds, type PolicySet } from './compile.js'

let loading: Promise<CedarModule> | undefined

/** Loads Cedar, 4 MB of WebAssembly, once, in the process for policies. */
const loadCedar = (): Promise<CedarModule> => {
  // V8 of Node 20 ends its process when it gives up optimized code in the middle of an inlined call ("unreachable code"
  // in DoComputeBuiltinContinuation), which some ten thousand judgements bring about.
  if (!loading) setFlagsFromString('--no-turbo-inline-js-wasm-calls')
  loading ??= import('@cedar-policy/cedar-wasm/nodejs')
  return loading
}

/** Sets that Cedar keeps parsed. It never forgets one, so their names are used again. */
const slots = 64
const kept = new Map<string, number>()

/**
 * Has Cedar hold a set under one of few names.
 * @param digest of the policies: the same is parsed once
 * @returns the name; undefined when Cedar cannot parse it
 */
const keepSet = (cedar: CedarModule, digest: string, policies: Record<string, string>): string | undefined => {
  const known = kept.get(digest)
  // The one that was used last is the last that is given up.
  kept.delete(digest)
  const [oldest] = kept.keys()
  const free = kept.size < slots ? kept.size : undefined
  const slot = known ?? free ?? (oldest === undefined ? 0 : kept.get(oldest) ?? 0)
  if (known === undefined) {
    if (free === undefined && oldest !== undefined) kept.delete(oldest)
    if (cedar.preparsePolicySet(`set-${slot}`, { staticPolicies: policies }).type === 'failure') return undefined
  }
  kept.set(digest, slot)
  return `set-${slot}`
}

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
