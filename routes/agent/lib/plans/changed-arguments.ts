import { isSameJson } from '../../../../lib/tools/digest.js'
import type { Arguments } from '../../../../lib/tools/options.js'

/** @returns the names of the arguments in which two calls differ */
export const changedArguments = (before: Arguments, after: Arguments): string[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((name) => !isSameJson(before[name] ?? null, after[name] ?? null))
