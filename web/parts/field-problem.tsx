import { createContext, type ComponentChildren } from 'preact'
import { useContext, useId } from 'preact/hooks'
import type { Problem } from '../api/problem'
import { explainProblem } from './problem-words'

/** The problem of the form around a field. */
export const FormProblem = createContext<Problem | undefined>(undefined)

export interface FieldProblem {
  /** For the input. */
  attributes: { 'aria-invalid'?: true, 'aria-describedby'?: string }
  /** Puts what is wrong below the field. */
  wrap: (field: ComponentChildren) => ComponentChildren
}

/** What the server says of the field at this pointer, below the field and described by it. */
export const useFieldProblem = (pointer: string | undefined): FieldProblem => {
  const problem = useContext(FormProblem)
  const id = useId()
  const found = problem ? explainProblem(problem).faults.filter((fault) => fault.pointer === pointer) : []
  if (pointer === undefined || found.length === 0) return { attributes: {}, wrap: (field) => field }
  const text = found.map(({ message }) => message).join('; ')
  return {
    attributes: { 'aria-invalid': true, 'aria-describedby': id },
    wrap: (field) => <div class='stack tight'>{field}<p id={id} class='small problem'>{text}</p></div>
  }
}
