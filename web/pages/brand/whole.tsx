import { useSignal } from '@preact/signals'
import { AreaField } from '../../parts/form'
import type { Cell } from '../../parts/cell'
import type { Brand } from './index'

const parse = (text: string): Brand | undefined => {
  try {
    // Whether it is a brand is for the API to say, with a pointer to what is not.
    return JSON.parse(text) as Brand
  } catch {
    return undefined
  }
}

/** Every setting, those that have no field of their own too. */
export const Whole = ({ brand }: { brand: Cell<Brand> }) => {
  const text = useSignal(JSON.stringify(brand.value, null, 2))
  const cell: Cell<string> = {
    get value () { return text.value },
    set value (next) {
      text.value = next
      brand.value = parse(next) ?? brand.value
    }
  }
  const wrong = parse(text.value) === undefined
  return (
    <>
      <AreaField
        label='Every setting' class='mono' rows={24} spellcheck={false} value={cell} aria-invalid={wrong}
      />
      {wrong && <p class='small' role='alert'>This is not JSON yet; it is taken when it is.</p>}
    </>
  )
}
