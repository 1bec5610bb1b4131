import type { Static, TObject, TSchema } from '@sinclair/typebox'
import type { RiskReason } from '../../schemas/agent/requirements.js'
import type { Sent } from '../../schemas/common.js'

export type Arguments = Record<string, unknown>

/**
 * Reads through the API as the person for whom the tool is called. The schema is that of the route's answer. With a
 * body it asks a write for its own dry run: the body is sent with `dry_run: true`.
 * @throws the operation's error
 */
export type Read = <T extends TSchema>(url: string, schema: T, dryRun?: object) => Promise<Static<T>>

export type Risk = 'low' | 'medium' | 'high'

/** What a write acts on, as it was resolved. */
export interface Target {
  /** Such as `ecs_service`, `content`, `project`. */
  kind: string
  /** The canonical id, never a name that could mean something else tomorrow. */
  id: string
  /** Canonical ids of what holds it or is changed with it, by kind. */
  within?: Record<string, string>
  /** The other spellings by which arguments may name it: its name, its ARN. */
  names?: string[]
}

/** The label of the change that says what a write is expected to cost, as "1.20 USD": policies may ask for it. */
export const expectedCost = 'Expected cost'

/** One thing that a write changes. Values are whole: how they are shown, cut and compared is the frame's work. */
export interface Change {
  label: string
  /** The arguments that this change shows. What no change shows, the frame adds. */
  field?: string | readonly string[]
  before: unknown
  after: unknown
  /** May change without anybody being asked again. */
  binding?: false
  /** Says where, under which words or how certainly it happens: a write that changes only this changes nothing. */
  context?: true
}

/** What a write would do to the world as it is now. */
export interface Plan {
  target: Target
  /** One sentence, such as "Scale service web in cluster prod from 2 to 4". */
  summary: string
  changes: Change[]
  /** Arguments whose effect the changes show in the target's own words. */
  covered?: readonly string[]
  /** What will run, with nothing left to resolve later; default: the arguments as they are. Planned again, the same. */
  args?: Arguments
  /** What the change depends on beside what `changes` shows: states and revisions, and no more. */
  facts?: Record<string, unknown>
  /** The condition under which the route writes, as an ETag of what was read just now. */
  ifMatch?: string
  /** Default `write`; a `read` runs at once, without an approval. */
  effect?: 'read' | 'write'
  /** What can go wrong, or why little can: the weightiest reason makes the risk. */
  risk: readonly [RiskReason, ...RiskReason[]]
  /**
   * How reads will show the target afterwards: the fields that change. The next step of a plan of steps on the same
   * target is planned on it; without it, that step is planned once this one has ended.
   */
  leaves?: Readonly<Record<string, unknown>>
  /** In a sentence: how it can be taken back. Without it the plan says that Steward cannot. */
  undo?: string
}

/** The schemas of the route that is the tool: the frame compares them with the route's own at the start. */
export interface InputSchemas { params?: TObject, query?: TObject, body?: TObject }

type Prefixed<T, Taken extends PropertyKey> = { [K in keyof T as K extends Taken ? `body_${string & K}` : K]: T[K] }

/**
 * The arguments of a tool: path parameters, query and body in one object, as they were sent. A body's field whose name
 * is taken has `body_` before it, as in the tool's schema.
 */
export type Input<S extends InputSchemas> =
  Sent<S['params']> & Sent<S['query']> & Prefixed<Sent<S['body']>, keyof Sent<S['params']> | keyof Sent<S['query']>>

/**
 * A tool that writes asks a person first. What it asks is made here, by code, from the parsed arguments and the live
 * state, never by the model. It is made again when a person decides, and right before the call is sent: when the
 * target, the pinned arguments, the facts or a change differ then, nothing runs and the person is asked anew.
 */
export interface WriteTool<Given = Arguments> {
  input: InputSchemas
  /**
   * The operations that say how the target is now, by their ids; several in one place are each enough. The plan asks
   * them, and what it shows and binds holds some of what they answer. Empty: what is made is all in the arguments.
   */
  reads: readonly (string | readonly string[])[]
  /** In a line: which state the plan depends on, and why no more. */
  basis: string
  plan: (input: Given, read: Read) => Promise<Plan>
  /** Arguments that the person may edit before approving; default: those of the body. */
  editable?: readonly string[]
  /** Whose account elsewhere writes it: what others have changed, that person does not seem to have written. */
  credential?: 'requester'
  /** Only adds: what is there stays as it is. */
  additive?: true
  /** After a crash in mid-call: was it done? Without this the outcome is `unknown`. */
  reconcile?: (input: Given, read: Read) => Promise<'done' | 'not_done' | 'unclear'>
}

/**
 * What a route declares to be a tool. The tool's name is the operationId, its description the operation's, its input
 * the path parameters, query and body in one object. A read runs at once.
 */
export type ToolOptions = 'read' | WriteTool

/**
 * @returns the tool of a route that has the schemas of `input`, of which its plan's arguments have the types: the frame
 * plans only with arguments that fit the route's schemas, and refuses at the start a tool that names others
 */
export function defineWriteTool<S extends InputSchemas> (
  tool: { input: S } & Omit<WriteTool<Input<NoInfer<S>>>, 'input'>
): WriteTool
export function defineWriteTool (tool: WriteTool): WriteTool {
  return tool
}

/** What a model reads of a tool, in words that need no knowledge of the API. A tool without them is refused. */
export interface ToolWords {
  /** The model always has it; all others are found by search. */
  core?: true
  /**
   * Whether its results have text that people outside the workspace may have written, such as issues, logs and files, and
   * what was stored of such texts, as a spec or a post does of its sources:
   * what was written for a model to obey. A conversation that has read some is tainted until a person decides again.
   */
  foreign: boolean
  /** When to use it. */
  use: string
  /** What it gives back, after "Gives back". */
  gives: string
  /** Other words that people use for it, in any language. Only the search reads them. */
  keywords: string
  /** What arguments are whose schemas leave it to their name, by name or by the end of their path. */
  fields?: Readonly<Record<string, string>>
  /** Arguments that the route takes and a model has no use for: what was read, and may be sent back. */
  leaveOut?: readonly string[]
}

declare module 'fastify' {
  interface FastifyContextConfig { tool?: ToolOptions, words?: ToolWords }
}
