import { useSignal } from '@preact/signals'
import { sayLabel } from '../parts/label'
import type { Approval } from './approval'

type Arguments = Record<string, unknown>

/** @returns the value that the text means, of the type that the argument had. @throws SyntaxError */
const parse = (text: string, before: unknown): unknown => {
  if (typeof before === 'string') return text
  if (before === undefined) {
    if (text === '') return undefined
    try { return JSON.parse(text) } catch { return text }
  }
  return JSON.parse(text)
}

const show = (value: unknown): string =>
  value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value)

const check = (text: string, before: unknown): string => {
  if (typeof before === 'number' && (text.trim() === '' || !Number.isFinite(Number(text)))) return 'Enter a number'
  try {
    parse(text, before)
    return ''
  } catch {
    return 'This is not valid JSON'
  }
}

interface FieldProps { name: string, before: unknown, text: string, onText: (text: string) => void }

const Field = ({ name, before, text, onText }: FieldProps) => {
  const wrong = check(text, before)
  if (typeof before === 'boolean') {
    return (
      <label class='check'>
        <input
          type='checkbox' checked={text === 'true'}
          onChange={(event) => onText(String(event.currentTarget.checked))}
        />
        {sayLabel(name)}
      </label>
    )
  }
  return (
    <label class='field'>
      <span>{sayLabel(name)}</span>
      <input
        type={typeof before === 'number' ? 'number' : 'text'} value={text} aria-invalid={wrong !== ''}
        class={typeof before === 'object' ? 'mono' : ''} onInput={(event) => onText(event.currentTarget.value)}
      />
      {wrong && <span class='small problem'>{wrong}</span>}
    </label>
  )
}

interface Props { approval: Approval, busy: boolean, onApprove: (edited: Arguments) => void, onCancel: () => void }

/** Lets a person change what may be changed before it runs; the server checks it again and keeps what was approved. */
export const ArgumentsForm = ({ approval, busy, onApprove, onCancel }: Props) => {
  // Arguments of a tool are an object by its schema.
  const before = (approval.arguments ?? {}) as Arguments
  const texts = useSignal(Object.fromEntries(approval.editable.map((name) => [name, show(before[name])])))
  const entries = Object.entries(texts.value)
  const wrong = entries.some(([name, text]) => check(text, before[name]) !== '')
  const submit = (event: Event) => {
    event.preventDefault()
    const edited = entries.map(([name, text]) => [name, parse(text, before[name])] as const)
    onApprove({ ...before, ...Object.fromEntries(edited.filter(([, value]) => value !== undefined)) })
  }
  return (
    <form class='approval-edit' onSubmit={submit}>
      <div class='fields'>
        {entries.map(([name, text]) => <Field
          key={name} name={name} before={before[name]} text={text}
          onText={(next) => { texts.value = { ...texts.value, [name]: next } }}
        />)}
      </div>
      <div class='row tight'>
        <button class='primary' disabled={busy || wrong}>Approve with these</button>
        <button type='button' onClick={onCancel}>Back</button>
      </div>
    </form>
  )
}
