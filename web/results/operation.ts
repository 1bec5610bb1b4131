import type { ComponentType } from 'preact'
import type { operations } from 'steward-client'
import type { Part } from '../texts/texts'

type Json<T> = T extends { content: { 'application/json': infer Body } } ? Body : never
type Responses<O extends keyof operations> = operations[O] extends { responses: infer R } ? R : never

/** The body of an operation's success. */
export type Answer<O extends keyof operations> =
  { [S in keyof Responses<O>]: S extends 200 | 201 | 202 ? Json<Responses<O>[S]> : never }[keyof Responses<O>]

/** What a view of a result gets; of arguments nothing is certain but that they are an object. */
export interface ViewProps<T> { result: T, given: Record<string, unknown> }
type View<T> = () => Promise<{ default: ComponentType<ViewProps<T>> }>
/** A view, and the parts of the catalogue whose texts it says. */
export interface KnownView { load: View<never>, parts: readonly Part[] }

/** What a page's folder knows of one operation. */
export interface KnownOperation {
  name: string
  /** Shows the result of a success; its script and texts load with the first. */
  view?: KnownView
}

/** Shows the result of an operation in a form of its own. */
export const shows = <O extends keyof operations>(name: O, load: View<Answer<O>>, ...parts: Part[]): KnownOperation =>
  // The registry gives a view only what its own operation answered.
  ({ name, view: { load: load as View<never>, parts } })
