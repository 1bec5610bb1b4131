import type { ComponentChildren, InputHTMLAttributes, TextareaHTMLAttributes } from 'preact'
import type { Cell } from './cell'
import { useFieldProblem } from './field-problem'
import { useUnsaved } from './unsaved'

interface FormProps {
  /** @returns false, in time, when it failed: what was typed is then not saved */
  onSubmit: () => unknown
  label?: string
  class?: string
  /** The text is kept elsewhere: leaving the page need not ask. */
  unguarded?: boolean
  /** The beginning of the addresses that keep what was typed. */
  within?: string
  children: ComponentChildren
}

/** A form that the script sends, not the browser. Leaving the page asks first once something was typed. */
export const Form = ({ onSubmit, label, class: classes = 'stack', unguarded = false, within, children }: FormProps) => {
  const mark = useUnsaved(within)
  const submit = async () => {
    // First, since a form that is saved may lead to another page.
    mark(false)
    if (await onSubmit() === false && !unguarded) mark(true)
  }
  return (
    <form
      class={classes} aria-label={label} onInput={() => { if (!unguarded) mark(true) }} onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >{children}
    </form>
  )
}

type Attributes<T> = Omit<T, 'value' | 'onInput' | 'label'>
/** `pointer`: where the server's errors name the field. */
interface Named<V> { label: string, value: Cell<V>, pointer?: string }
type TextProps = Named<string> & Attributes<InputHTMLAttributes>
type AreaProps = Named<string> & Attributes<TextareaHTMLAttributes>
type NumberProps = Named<number> & Attributes<InputHTMLAttributes>

export const TextField = ({ label, value, pointer, ...rest }: TextProps) => {
  const { attributes, wrap } = useFieldProblem(pointer)
  return wrap(<label class='field'><span>{label}</span>
    <input
      {...rest} {...attributes} value={value.value} onInput={(event) => { value.value = event.currentTarget.value }}
    />
  </label>)
}

export const AreaField = ({ label, value, pointer, ...rest }: AreaProps) => {
  const { attributes, wrap } = useFieldProblem(pointer)
  return wrap(<label class='field'><span>{label}</span>
    <textarea
      {...rest} {...attributes} value={value.value} onInput={(event) => { value.value = event.currentTarget.value }}
    />
  </label>)
}

/** A number field; an emptied field keeps the last number. */
export const NumberField = ({ label, value, pointer, ...rest }: NumberProps) => {
  const { attributes, wrap } = useFieldProblem(pointer)
  return wrap(<label class='field'><span>{label}</span>
    <input
      required {...rest} {...attributes} type='number' value={value.value}
      onInput={({ currentTarget: { valueAsNumber: next } }) => { if (!Number.isNaN(next)) value.value = next }}
    />
  </label>)
}

export const CheckField = ({ label, value }: Named<boolean>) => <label class='check'>
  <input
    type='checkbox' checked={value.value} onChange={({ currentTarget }) => { value.value = currentTarget.checked }}
  /><span>{label}</span>
</label>

interface ChoiceProps<T extends string> { label: string, value: Cell<T>, options: Record<T, string>, unseen?: boolean }

/** A select; `unseen` shows the label to screen readers only. */
export const Choice = <T extends string>({ label, value, options, unseen }: ChoiceProps<T>) => {
  // The keys of a record of T are T.
  const names = Object.keys(options) as T[]
  return (
    <label class='field'><span class={unseen ? 'unseen' : ''}>{label}</span>
      <select
        value={value.value} onChange={({ currentTarget }) => {
          value.value = names.find((name) => name === currentTarget.value) ?? value.value
        }}
      >{names.map((name) => <option key={name} value={name}>{options[name]}</option>)}
      </select>
    </label>
  )
}
