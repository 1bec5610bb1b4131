import { setFlagsFromString } from 'node:v8'
import type * as Cedar from '@cedar-policy/cedar-wasm/nodejs'

export type { Cedar }
export type CedarModule = typeof Cedar

let loading: Promise<CedarModule> | undefined

/** Loads Cedar, 4 MB of WebAssembly, once, in the process for policies. */
export const loadCedar = (): Promise<CedarModule> => {
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
export const keepSet = (cedar: CedarModule, digest: string, policies: Record<string, string>): string | undefined => {
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
