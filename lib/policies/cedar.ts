import type * as Cedar from '@cedar-policy/cedar-wasm/nodejs'

/** Cedar's own types; its code is loaded in the process for policies alone. */
export type { Cedar }
export type CedarModule = typeof Cedar
