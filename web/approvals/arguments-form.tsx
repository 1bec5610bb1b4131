import { useId } from 'preact/hooks'
import type { Problem } from '../api/problem'
import { formatLabel } from '../parts/label'
import { Notice, ProblemNotice } from '../parts/notice'
import { Cause, explainProblem } from '../parts/problem-words'
import type { Approval, Arguments } from './approval'
import type { Planning } from './planning'
import { say } from '../texts/say'

/** The texts of the fields, by the argument's name. */
export type Texts = Record<string, string>

/** @returns the value of the text, in the argument's earlier type. @throws SyntaxError */
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
  if (typeof before === 'number' && (text.trim() === '' || !Number.isFinite(Number(text)))) return say('edit.number')
  try {
    parse(text, before)
    return ''
  } catch {
    return say('edit.json')
  }
}

export const textsOf = ({ editable, arguments: before }: Approval): Texts =>
  Object.fromEntries(editable.map((name) => [name, show(before[name])]))

/** @returns all arguments with the typed ones; undefined while a text does not fit its type */
export const argumentsOf = ({ arguments: before }: Approval, texts: Texts): Arguments | undefined => {
  const entries = Object.entries(texts)
  if (entries.some(([name, text]) => check(text, before[name]) !== '')) return undefined
  const edited = entries.map(([name, text]) => [name, parse(text, before[name])] as const)
  return { ...before, ...Object.fromEntries(edited.filter(([, value]) => value !== undefined)) }
}

/** @returns the field errors by field name; under '' the errors of other fields */
const errorsOf = (problem: Problem | undefined, names: string[]): Map<string, string[]> => {
  const found = new Map<string, string[]>()
  for (const { pointer, label, message } of problem ? explainProblem(problem).faults : []) {
    const name = pointer.split('/').find((part) => names.includes(part))
    const text = name === undefined ? `${label}: ${message}` : message
    found.set(name ?? '', [...found.get(name ?? '') ?? [], text])
  }
  return found
}

interface FieldProps { name: string, before: unknown, text: string, errors: string[], onText: (text: string) => void }

const longest = 80

const Input = ({ name, before, text, errors, onText, wrong }: FieldProps & { wrong: string | undefined }) => {
  const shared = {
    name,
    value: text,
    'aria-invalid': errors.length > 0,
    'aria-describedby': wrong,
    class: typeof before === 'object' ? 'mono' : ''
  }
  if (typeof before === 'string' && (before.length > longest || before.includes('\n'))) {
    return <textarea {...shared} rows={8} onInput={(event) => onText(event.currentTarget.value)} />
  }
  const type = typeof before === 'number' ? 'number' : 'text'
  return <input {...shared} type={type} onInput={(event) => onText(event.currentTarget.value)} />
}

const Field = (props: FieldProps) => {
  const { name, before, text, onText } = props
  const id = useId()
  const own = check(text, before)
  const errors = own === '' ? props.errors : [own]
  const wrong = errors.length > 0 ? id : undefined
  const message = wrong && <span id={id} class='small problem'>{errors.join('; ')}</span>
  if (typeof before === 'boolean') {
    return (
      <div class='field'>
        <label class='check'>
          <input
            type='checkbox' name={name} checked={text === 'true'} aria-describedby={wrong}
            onChange={(event) => onText(String(event.currentTarget.checked))}
          />
          {formatLabel(name)}
        </label>
        {message}
      </div>
    )
  }
  return (
    <div class='field'>
      <label class='field'><span>{formatLabel(name)}</span><Input {...props} errors={errors} wrong={wrong} /></label>
      {message}
    </div>
  )
}

/** Why the typed arguments have no plan, without the errors that the fields show. */
const PlanProblem = ({ planning: { problem, again }, others }: { planning: Planning, others: string[] }) => {
  if (!problem) return null
  if (problem.status === 503 || problem.status === 0) return <ProblemNotice problem={problem} retry={again} />
  const { title, cause } = explainProblem(problem)
  const isInvalid = problem.code === 'arguments_invalid'
  return (
    <Notice tone='bad'>
      <strong>{isInvalid ? say('edit.invalid') : title}</strong>
      {!isInvalid && cause && <Cause of={cause} />}
      {others.length > 0 && <ul>{others.map((text) => <li key={text}>{text}</li>)}</ul>}
    </Notice>
  )
}

interface Props {
  approval: Approval
  texts: Texts
  planning: Planning
  busy: boolean
  /** The plan is not shown whole yet. */
  isCut: boolean
  onTexts: (texts: Texts) => void
  onApprove: () => void
  onCancel: () => void
}

/** Edits the editable arguments before the call runs. A person can approve only the plan on the screen. */
export const ArgumentsForm = ({ approval, texts, planning, busy, isCut, onTexts, onApprove, onCancel }: Props) => {
  const entries = Object.entries(texts)
  const errors = errorsOf(planning.problem, Object.keys(texts))
  const ready = planning.current && !busy && !isCut
  const submit = (event: Event) => {
    event.preventDefault()
    if (ready) onApprove()
  }
  return (
    <form class='approval-edit' onSubmit={submit} aria-label={say('edit.label')} noValidate>
      <div class='fields'>
        {entries.map(([name, text]) => <Field
          key={name} name={name} before={approval.arguments[name]} text={text} errors={errors.get(name) ?? []}
          onText={(next) => onTexts({ ...texts, [name]: next })}
        />)}
      </div>
      <PlanProblem planning={planning} others={errors.get('') ?? []} />
      <p class='small muted' role='status'>
        {planning.busy && say('edit.reading')}
        {planning.current && say(isCut ? 'approval.unfold' : 'edit.shown')}
      </p>
      <div class='row tight'>
        <button class='primary' disabled={!ready}>{say('edit.approve')}</button>
        <button type='button' data-leave onClick={onCancel}>
          {say('approval.back')} <kbd aria-hidden='true'>Esc</kbd>
        </button>
      </div>
    </form>
  )
}
