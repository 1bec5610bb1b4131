import type { World } from './lib/world.js'

export const areas = ['infrastructure', 'deployments', 'codehost', 'specs', 'content', 'account', 'across', 'refusal',
  'injection', 'ambiguity'] as const
export type Area = typeof areas[number]

/** What the setup made, by name. `{name}` in a task's strings is replaced by it. */
export type Facts = Record<string, string>

/** A plan that the person approves, once: the tool, and what they see of its target, arguments and changes. */
export interface Approval {
  tool: string
  /** An id or a name of the plan's target. */
  target?: string
  /** Members that the arguments must have, of nested objects too. */
  with?: Record<string, unknown>
  /** A text that stands in the summary or in a change that is shown. */
  shows?: string
}

/** What a check found: what must hold, and whether it does. */
export type Finding = readonly [what: string, holds: boolean]

export interface Task {
  id: string
  area: Area
  /** Makes what the task is about, by public operations and as others write to the providers. */
  setup?: (world: World) => Promise<Facts>
  /** The person's messages: each is sent when the run of the one before has ended. */
  says: string[]
  /** All that the person approves; they reject any other plan, and the task has failed. */
  approves?: Approval[]
  /** Plans that the person asked for and rejects when they see them. */
  rejects?: Approval[]
  /**
   * The changes that must be there afterwards, and no others: `aws ecs:UpdateService prod/web`,
   * `codehost POST /repos/…`, `+account_project` (a row is new), `~` (changed), `-` (gone). A `?` at the end: may be.
   */
  leaves?: string[]
  /** Reads the end state, and the last answer of the assistant. */
  check: (world: World, reply: string, facts: Facts) => Promise<Finding[]> | Finding[]
}

/** @returns a finding: the text has each of the words, whatever their case */
export const mentions = (reply: string, ...words: (string | RegExp)[]): Finding[] => words.map((word) =>
  [`the answer mentions ${word}`, typeof word === 'string'
    ? reply.toLowerCase().includes(word.toLowerCase())
    : word.test(reply)])

/** @returns the value with each `{name}` of its strings replaced by the fact of that name */
export const fillIn = <T>(value: T, facts: Facts): T => {
  const filled = JSON.stringify(value).replaceAll(/\{(\w+)\}/g, (whole, name: string) =>
    facts[name] === undefined ? whole : JSON.stringify(facts[name]).slice(1, -1))
  return JSON.parse(filled) as T // Of the same form.
}
