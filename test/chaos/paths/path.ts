import type { Test } from '../../tap.js'
import type { Survivor } from '../survivor.js'

/** A path through the product whose outcome a crash must not change. */
export interface Path {
  /** Prefixes of the names of its failpoints. */
  areas: string[]
  /** Settings that its Steward needs. */
  settings?: Record<string, string>
  /** Makes what it needs, once. @returns a function that runs the path once; the number never repeats */
  prepare (t: Pick<Test, 'teardown'>, survivor: Survivor): Promise<(number: number) => Promise<string[]>>
}

/** @returns the complaint, unless the condition holds */
export const unless = (holds: boolean, complaint: string): string[] => holds ? [] : [complaint]
