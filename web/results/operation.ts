import type { ComponentType } from 'preact'
import type { components, operations } from '../../packages/client/src/openapi'

type Json<T> = T extends { content: { 'application/json': infer Body } } ? Body : never
type Responses<O extends keyof operations> = operations[O] extends { responses: infer R } ? R : never

/** The body of an operation's success. */
export type Answer<O extends keyof operations> =
  { [S in keyof Responses<O>]: S extends 200 | 201 | 202 ? Json<Responses<O>[S]> : never }[keyof Responses<O>]

/** What a view of a result gets; of arguments nothing is certain but that they are an object. */
export interface ViewProps<T> { result: T, given: Record<string, unknown> }
type View<T> = () => Promise<{ default: ComponentType<ViewProps<T>> }>

/** What a card knows of a change when it says why its risk is what it is. */
export type Change = Pick<components['schemas']['Confirmation'], 'arguments' | 'preview' | 'risk'>

/** What a page's folder knows of one operation. */
export interface KnownOperation {
  name: string
  /** Shows the result of a success; its script loads with the first. */
  view?: View<never>
  /** What can go wrong, in a sentence. */
  why?: (change: Change) => string
}

/** Shows the result of an operation in a form of its own. */
export const shows = <O extends keyof operations>(name: O, view: View<Answer<O>>): KnownOperation =>
  // The registry gives a view only what its own operation answered.
  ({ name, view: view as View<never> })

/** Says what an operation risks. */
export const risks = (name: keyof operations, why: (change: Change) => string): KnownOperation => ({ name, why })
