import { useEffect, useId, useRef } from 'preact/hooks'
import { useSignal, type Signal } from '@preact/signals'
import type { Problem } from '../api/problem'
import { useResource, type Resource } from '../api/resource'
import { useSettled } from '../api/settled'
import { say } from '../texts/say'
import { holdHeight } from './held-height'
import { Check, ChevronRight } from './icons'
import { ProblemNotice } from './notice'
import './combobox.css'

export interface Option<T> {
  key: string
  label: string
  /** What distinguishes it from another one with the same label. */
  detail?: string | undefined
  item: T
}
export interface Found<T> {
  options: Option<T>[]
  isMore: boolean
  /** Why not everything was found; what is offered can be chosen nevertheless. */
  problem?: Problem | undefined
}

/** So many of a list that is here already are offered at once. */
const most = 50

/** @returns what finds in a list that is here already: by words that a label has, in any order */
export const findAmong = <T,>(options: readonly Option<T>[]) => (q: string): Promise<Found<T>> => {
  const words = q.toLowerCase().split(/\s+/)
  const fitting = options.filter(({ label }) => words.every((word) => label.toLowerCase().includes(word)))
  return Promise.resolve({ options: fitting.slice(0, most), isMore: fitting.length > most })
}

interface Props<T> {
  label: string
  /** The label is for screen readers only. */
  unseen?: boolean
  /** The label of what is chosen; '' = nothing. It stays though it is not among what is found. */
  chosen: string
  /** Its key, where several entries may have the same label. */
  chosenKey?: string
  /** What stands for nothing, where nothing may be chosen: it is the first of what is offered. */
  none?: string
  /** Asks the server; '' finds the first of all. */
  find: (q: string, signal: AbortSignal) => Promise<Found<T>>
  /** Before it is tried again, where `find` keeps what it was answered. */
  forget?: () => void
  /** undefined: nothing is chosen any more. */
  onChoose: (item: T | undefined) => void
}

const moved = (key: string, at: number, count: number): number | undefined =>
  ({ ArrowDown: (at + 1) % count, ArrowUp: (at <= 0 ? count : at) - 1 })[key]

interface State { text: Signal<string>, isOpen: Signal<boolean>, at: Signal<number> }

/** Nothing is an entry as well, with the empty key; the words find others. */
const withNothing = <T,>(found: Found<T>, none: string | undefined, q: string): Found<T | undefined> =>
  none === undefined || q !== ''
    ? found
    : { ...found, options: [{ key: '', label: none, item: undefined }, ...found.options] }

/** @returns what the server has for the words; what is chosen already is no search */
const useFound = <T,>({ text, isOpen }: State, { chosen, find, none }: Props<T>) => {
  const wanted = text.value === chosen ? '' : text.value.trim()
  const q = useSettled(wanted)
  const found = useResource<Found<T | undefined>>([isOpen.value, q], async (signal) =>
    isOpen.value ? withNothing(await find(q, signal), none, q) : { options: [], isMore: false })
  // What earlier words found is not offered: Enter would take it.
  return q === wanted ? found : { ...found, data: undefined, loading: true }
}

const isSame = (label: string, text: string): boolean => label.toLowerCase() === text.trim().toLowerCase()

/** @returns the entry whose whole label was typed, if it is the only one */
const meant = <T,>(options: readonly Option<T>[], text: string): Option<T> | undefined => {
  const [first, ...others] = options.filter(({ label }) => isSame(label, text))
  return others.length === 0 ? first : undefined
}

/** @returns how much was found, which a screen reader hears as one types */
const Status = <T,>({ data, loading }: Resource<Found<T>>) => <p class='small muted' role='status'>
  {!data && loading && say('choice.looking')}
  {data?.options.length === 0 && say('choice.nothing')}
  {data && data.options.length > 0 &&
    <span class='unseen'>{say('choice.found', { count: data.options.length })} </span>}
  {data?.isMore && say('choice.more')}
</p>

interface OptionsProps<T> {
  id: string
  label: string
  at: Signal<number>
  found: Resource<Found<T>>
  isChosen: (option: Option<T>) => boolean
  forget: (() => void) | undefined
  focus: () => void
  choose: (option: Option<T>) => void
}

/** What was found; a click in it leaves the focus in the field. */
const Options = <T,>({ id, label, at, found, isChosen, forget, focus, choose }: OptionsProps<T>) => {
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
          aria-current={isChosen(option) ? 'true' : undefined} onClick={() => choose(option)}
        ><span>{option.label}{option.detail && <span class='small muted detail'>{option.detail}</span>}</span>
          {isChosen(option) && <Check size={16} aria-hidden='true' />}
        </li>)}
      </ul>
      {problem && <ProblemNotice problem={problem} retry={retry} />}
      <Status {...found} />
    </div>
  )
}

/** What is chosen, and what chooses. */
const useChoosing = <T,>(state: State, { chosen, chosenKey, find, onChoose }: Props<T>, onDone: () => void) => {
  const { text, isOpen } = state
  const isChosen = ({ key, label }: Option<T | undefined>): boolean =>
    key === '' ? chosen === '' : chosenKey === undefined ? label === chosen : key === chosenKey
  const choose = (option: Option<T | undefined>) => {
    isOpen.value = false
    text.value = isChosen(option) ? chosen : option.item === undefined ? '' : option.label
    if (isChosen(option)) return
    onChoose(option.item)
    onDone()
  }
  /** Takes what was typed whole, also when the field is left before the server has answered. */
  const leave = (options: readonly Option<T | undefined>[] | undefined) => {
    const typed = text.value
    isOpen.value = false
    if (typed.trim() === '') {
      if (chosen !== '') onChoose(undefined)
      return
    }
    const settle = (found: readonly Option<T | undefined>[]) => {
      const option = meant(found, typed)
      if (option) choose(option)
      else text.value = chosen
    }
    if (typed === chosen || options) return settle(options ?? [])
    find(typed.trim(), new AbortController().signal).then(({ options: late }) => {
      if (text.value === typed && !isOpen.value) settle(late)
    }, () => { text.value = chosen })
  }
  return { isChosen, choose, leave }
}

interface Doing<T> { choose: (option: Option<T>) => void, giveUp: () => void }

const onKey = <T,>({ text, isOpen, at }: State, options: Option<T>[], { choose, giveUp }: Doing<T>) =>
  (event: KeyboardEvent) => {
    const { key } = event
    const [next, active] = [moved(key, at.value, options.length), options[at.value]]
    // As in a select, Tab takes what the arrows have reached, and goes on.
    if (key === 'Tab' && isOpen.value) return active && choose(active)
    if (key === 'Escape' && isOpen.value) {
      isOpen.value = false
      giveUp()
    } else if (key === 'Enter' && isOpen.value) {
      const option = active ?? meant(options, text.value) ?? (options.length === 1 ? options[0] : undefined)
      if (option) choose(option)
    } else if (next !== undefined && !isOpen.value) isOpen.value = true
    else if (next !== undefined) at.value = options.length > 0 ? next : -1
    else return
    event.preventDefault()
  }

/** A field that finds as one types, and takes only what is there: the combobox of the ARIA Authoring Practices. */
export const Combobox = <T,>(props: Props<T>) => {
  const { label, unseen, chosen, none, forget } = props
  const state: State = { text: useSignal(chosen), isOpen: useSignal(false), at: useSignal(-1) }
  const { text, isOpen, at } = state
  const id = useId()
  const root = useRef<HTMLDivElement>(null)
  const found = useFound(state, props)
  const options = found.data?.options ?? []
  // As a select does: the form around it knows that something was entered.
  const { isChosen, choose, leave } = useChoosing(state, props, () =>
    root.current?.dispatchEvent(new Event('input', { bubbles: true })))
  useEffect(() => { text.value = chosen }, [chosen])
  useEffect(() => { at.value = options.findIndex(isChosen) }, [found.data])
  useEffect(() => { root.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' }) })
  const onKeyDown = onKey(state, options, { choose, giveUp: () => { text.value = chosen } })
  const focus = () => root.current?.querySelector('input')?.focus()
  const onFocusOut = ({ relatedTarget }: FocusEvent) => {
    if (relatedTarget instanceof Node && root.current?.contains(relatedTarget)) return
    if (root.current) holdHeight(root.current)
    leave(found.data && isOpen.value ? options : undefined)
  }
  return (
    <div class='combobox' ref={root} onFocusOut={onFocusOut}>
      <label class='field'><span class={unseen ? 'unseen' : ''}>{label}</span>
        <input
          type='text' role='combobox' autoComplete='off' aria-autocomplete='list' aria-expanded={isOpen.value}
          aria-controls={isOpen.value ? id : undefined} placeholder={none ?? say('common.choose')} value={text.value}
          aria-activedescendant={isOpen.value && options[at.value] ? `${id}-${at.value}` : undefined}
          onKeyDown={onKeyDown} onClick={({ currentTarget }) => {
            // What is typed next replaces what is chosen.
            if (!isOpen.value && text.value === chosen) currentTarget.select()
            isOpen.value = true
          }}
          onInput={({ currentTarget }) => {
            text.value = currentTarget.value
            isOpen.value = true
          }}
        />
        <ChevronRight size={16} aria-hidden='true' />
      </label>
      {isOpen.value && <Options {...{ id, label, at, found, isChosen, forget, focus, choose }} />}
    </div>
  )
}
