import type { VersionRow } from '../../db/account/policies.js'
import type { PolicySet } from './compile.js'
import { compile } from './in-process.js'

/** The policies that hold in a workspace. */
export interface EnabledSet {
  version: number
  /** null: they cannot be read any more, such as after a change of Cedar; then nothing is allowed. */
  set: PolicySet | null
}

/** @returns what was enabled; undefined where that was to have no policies any more */
export const loadSet = async ({ version, text, groups }: VersionRow): Promise<EnabledSet | undefined> => {
  const compiled = await compile(text, groups)
  if (compiled.kind === 'invalid') return { version, set: null }
  return compiled.set.meta.size === 0 ? undefined : { version, set: compiled.set }
}
