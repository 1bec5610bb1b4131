import type { Cell } from '../../parts/cell'

export const Tick = ({ label, of }: { label: string, of: Cell<boolean> }) => <label class='check'><input
  type='checkbox' checked={of.value} onChange={({ currentTarget }) => { of.value = currentTarget.checked }}
/> <span>{label}</span>
</label>

interface TicksProps<T extends string> { label: string, names: Record<T, string>, of: Cell<T[]> }

/** A box for each name; those that are ticked are the list. */
export const Ticks = <T extends string>({ label, names, of }: TicksProps<T>) => {
  const all = Object.keys(names) as T[] // The keys of a record of T are T.
  const ticked = (name: T): Cell<boolean> => ({
    get value () { return of.value.includes(name) },
    set value (next) { of.value = all.filter((one) => one === name ? next : of.value.includes(one)) }
  })
  return (
    <fieldset class='whole-row'><legend>{label}</legend>
      <div class='row'>{all.map((name) => <Tick key={name} label={names[name]} of={ticked(name)} />)}</div>
    </fieldset>
  )
}
