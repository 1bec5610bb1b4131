import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { useSignal } from '@preact/signals'
import { Plus, X } from './icons'
import type { Cell } from './cell'
import { markChanged } from './unsaved'
import { say } from '../texts/say'

interface Props<T> {
  label: string
  /** The name of one entry. */
  one: string
  of: Cell<T[]>
  blank: () => NoInfer<T>
  children: (entry: Cell<T>, index: number) => ComponentChildren
}

const entryOf = <T,>(of: Cell<T[]>, index: number, shown: T): Cell<T> => ({
  get value () { return of.value[index] ?? shown },
  set value (next) { of.value = of.value.with(index, next) }
})

/** Adds, edits and removes the entries of a list. The focus goes to what is added, and stays where one is removed. */
export const ListEditor = <T,>({ label, one, of, blank, children }: Props<T>) => {
  const entries = useRef<HTMLDivElement>(null)
  const add = useRef<HTMLButtonElement>(null)
  const added = useSignal(false)
  useLayoutEffect(() => {
    if (!added.value) return
    added.value = false
    entries.current?.lastElementChild?.querySelector<HTMLElement>('input,textarea,select')?.focus()
  }, [of.value.length])
  const remove = (index: number, button: HTMLElement) => {
    markChanged(button)
    // Its button goes with it, unless the next entry takes it over.
    if (index === of.value.length - 1) add.current?.focus()
    of.value = of.value.filter((_, at) => at !== index)
  }
  return (
    <fieldset class='stack tight'>
      <legend>{label}</legend>
      {of.value.length > 0 && <div ref={entries} class='stack tight'>
        {of.value.map((shown, index) => <div key={index} class='entry-fields'>
          <div class='fields grow'>{children(entryOf(of, index, shown), index)}</div>
          <button
            type='button' class='quiet icon' aria-label={say('list.remove', { one, number: index + 1 })}
            onClick={({ currentTarget }) => { remove(index, currentTarget) }}
          ><X size={16} aria-hidden='true' />
          </button>
        </div>)}
      </div>}
      <div><button
        ref={add} type='button' class='small' onClick={() => {
          added.value = true
          of.value = [...of.value, blank()]
        }}
      ><Plus size={14} aria-hidden='true' />{say('list.add', { one })}
      </button>
      </div>
    </fieldset>
  )
}
