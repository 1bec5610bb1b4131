import type { ComponentChildren, InputHTMLAttributes, TextareaHTMLAttributes } from 'preact'
import type { Cell } from './cell'

interface FormProps { onSubmit: () => void, label?: string, class?: string, children: ComponentChildren }

/** A form that the script sends, not the browser. */
export const Form = ({ onSubmit, label, class: classes = 'stack', children }: FormProps) => <form
  class={classes} aria-label={label} onSubmit={(event) => {
    event.preventDefault()
    onSubmit()
  }}
>{children}
</form>

type Attributes<T> = Omit<T, 'value' | 'onInput' | 'label'>
type TextProps = { label: string, value: Cell<string> } & Attributes<InputHTMLAttributes>
type AreaProps = { label: string, value: Cell<string> } & Attributes<TextareaHTMLAttributes>
type NumberProps = { label: string, value: Cell<number> } & Attributes<InputHTMLAttributes>

export const TextField = ({ label, value, ...rest }: TextProps) => <label class='field'><span>{label}</span>
  <input {...rest} value={value.value} onInput={(event) => { value.value = event.currentTarget.value }} />
</label>

export const AreaField = ({ label, value, ...rest }: AreaProps) => <label class='field'><span>{label}</span>
  <textarea {...rest} value={value.value} onInput={(event) => { value.value = event.currentTarget.value }} />
</label>

/** A number field; an emptied field keeps the last number. */
export const NumberField = ({ label, value, ...rest }: NumberProps) => <label class='field'><span>{label}</span>
  <input
    required {...rest} type='number' value={value.value} onInput={({ currentTarget: { valueAsNumber: next } }) => {
      if (!Number.isNaN(next)) value.value = next
    }}
  />
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
