import type { ComponentChildren } from 'preact'
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

/** Adds, edits and removes the entries of a list. */
export const ListEditor = <T,>({ label, one, of, blank, children }: Props<T>) => <fieldset class='stack tight'>
  <legend>{label}</legend>
  {of.value.map((shown, index) => <div key={index} class='entry-fields'>
    <div class='fields grow'>{children(entryOf(of, index, shown), index)}</div>
    <button
      type='button' class='quiet icon' aria-label={say('list.remove', { one, number: index + 1 })}
      onClick={({ currentTarget }) => {
        markChanged(currentTarget)
        of.value = of.value.filter((_, at) => at !== index)
      }}
    ><X size={16} aria-hidden='true' />
    </button>
  </div>)}
  <div><button type='button' class='small' onClick={() => { of.value = [...of.value, blank()] }}>
    <Plus size={14} aria-hidden='true' />{say('list.add', { one })}
  </button>
  </div>
</fieldset>
