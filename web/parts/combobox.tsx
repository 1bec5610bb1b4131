import { useEffect, useId, useRef } from 'preact/hooks'
import { useSignal, type Signal } from '@preact/signals'
import type { Problem } from '../api/problem'
import { useResource, type Resource } from '../api/resource'
import { useSettled } from '../api/settled'
import { say } from '../texts/say'
import { ProblemNotice } from './notice'
import './combobox.css'

export interface Option<T> { key: string, label: string, item: T }
export interface Found<T> {
  options: Option<T>[]
  isMore: boolean
  /** Why not everything was found; what is offered can be chosen nevertheless. */
  problem?: Problem | undefined
}

interface Props<T> {
  label: string
  /** The label of what is chosen; '' = nothing. */
  chosen: string
  /** Asks the server; '' finds the first of all. */
  find: (q: string, signal: AbortSignal) => Promise<Found<T>>
  /** Before it is tried again, where `find` keeps what it was answered. */
  forget?: () => void
  /** undefined: the field was emptied. */
  onChoose: (item: T | undefined) => void
}

const moved = (key: string, at: number, count: number): number | undefined =>
  ({ ArrowDown: (at + 1) % count, ArrowUp: (at <= 0 ? count : at) - 1 })[key]

interface State { text: Signal<string>, isOpen: Signal<boolean>, at: Signal<number> }

/** @returns what the server has for the words; what is chosen already is no search */
const useFound = <T,>({ text, isOpen }: State, chosen: string, find: Props<T>['find']) => {
  const wanted = text.value === chosen ? '' : text.value.trim()
  const q = useSettled(wanted)
  const found = useResource([isOpen.value, q], (signal) =>
    isOpen.value ? find(q, signal) : Promise.resolve({ options: [], isMore: false }))
  // What earlier words found is not offered: Enter would take it.
  return q === wanted ? found : { ...found, data: undefined }
}

interface OptionsProps<T> {
  id: string
  label: string
  at: Signal<number>
  found: Resource<Found<T>>
  forget: Props<T>['forget']
  focus: () => void
  choose: (option: Option<T>) => void
}

/** What was found; a click in it leaves the focus in the field. */
const Options = <T,>({ id, label, at, found, forget, focus, choose }: OptionsProps<T>) => {
  const { data, problem = data?.problem, reload } = found
  const retry = () => {
    // The button goes away, and with it the focus.
    focus()
    forget?.()
    reload()
  }
  return (
<div class='found' onMouseDown={(event) => event.preventDefault()}>
    <ul id={id} role='listbox' aria-label={label} tabIndex={-1}>
      {data?.options.map((option, index) => <li
        key={option.key} id={`${id}-${index}`} role='option' aria-selected={index === at.value}
        onClick={() => choose(option)} onMouseMove={() => { at.value = index }}
      >{option.label}
      </li>)}
    </ul>
    {problem && <ProblemNotice problem={problem} retry={retry} />}
    <p class='small muted' role='status'>
      {data && (data.options.length === 0 ? say('choice.nothing') : data.isMore && say('choice.more'))}
    </p>
</div>
  )
}

/** A field that finds as one types, and takes only what is there: the combobox of the ARIA Authoring Practices. */
export const Combobox = <T,>({ label, chosen, find, forget, onChoose }: Props<T>) => {
  const state: State = { text: useSignal(chosen), isOpen: useSignal(false), at: useSignal(-1) }
  const { text, isOpen, at } = state
  const id = useId()
  const root = useRef<HTMLDivElement>(null)
  const found = useFound(state, chosen, find)
  const options = found.data?.options ?? []
  useEffect(() => { text.value = chosen }, [chosen])
  useEffect(() => { at.value = -1 }, [found.data])
  useEffect(() => { root.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' }) })
  const choose = ({ item, label: name }: Option<T>) => {
    text.value = name
    isOpen.value = false
    onChoose(item)
    // As a select does: the form around it knows that something was entered.
    root.current?.dispatchEvent(new Event('input', { bubbles: true }))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const [next, active] = [moved(event.key, at.value, options.length), options[at.value]]
    if (event.key === 'Escape' && isOpen.value) isOpen.value = false
    else if (event.key === 'Enter' && isOpen.value) active && choose(active)
    else if (next !== undefined && !isOpen.value) isOpen.value = true
    else if (next !== undefined) at.value = options.length > 0 ? next : -1
    else return
    event.preventDefault()
  }
  const focus = () => root.current?.querySelector('input')?.focus()
  const onFocusOut = ({ relatedTarget }: FocusEvent) => {
    if (relatedTarget instanceof Node && root.current?.contains(relatedTarget)) return
    isOpen.value = false
    if (text.value.trim() === '' && chosen !== '') onChoose(undefined)
    else text.value = chosen
  }
  return (
    <div class='combobox' ref={root} onFocusOut={onFocusOut}>
      <label class='field'><span>{label}</span>
        <input
          type='text' role='combobox' autoComplete='off' aria-autocomplete='list' aria-expanded={isOpen.value}
          aria-controls={isOpen.value ? id : undefined} placeholder={say('common.choose')} value={text.value}
          aria-activedescendant={isOpen.value && options[at.value] ? `${id}-${at.value}` : undefined}
          onKeyDown={onKeyDown} onClick={() => { isOpen.value = true }}
          onInput={({ currentTarget }) => {
            text.value = currentTarget.value
            isOpen.value = true
          }}
        />
      </label>
      {isOpen.value && <Options {...{ id, label, at, found, forget, focus, choose }} />}
    </div>
  )
}
