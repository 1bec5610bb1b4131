import type { Cell } from '../../parts/cell'
import { say } from '../../texts/say'

interface Props { label: string, of: Cell<string[]>, options: readonly { id: string, title: string }[] }

/** Chooses some of the items of a spec. The list is folded: a spec may have a hundred. */
export const IdChoice = ({ label, of, options }: Props) => {
  const turn = (id: string, isChosen: boolean) => {
    const others = of.value.filter((one) => one !== id)
    of.value = isChosen ? [...others, id].sort() : others
  }
  return (
    <fieldset>
      <legend>{label}</legend>
      <details><summary>{of.value.join(', ') || say('value.none')}</summary>
        <div class='stack tight'>{options.map(({ id, title }) => <label key={id} class='check'>
          <input
            type='checkbox' checked={of.value.includes(id)}
            onChange={({ currentTarget }) => { turn(id, currentTarget.checked) }}
          /><span><code>{id}</code> {title}</span>
        </label>)}
        </div>
      </details>
    </fieldset>
  )
}
