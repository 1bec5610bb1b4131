import { useSignal } from '@preact/signals'
import { AreaField } from '../../parts/form'
import type { Cell } from '../../parts/cell'
import type { Brand } from './index'
import { say } from '../../texts/say'

const parse = (text: string): Brand | undefined => {
  try {
    // The API validates the brand, and points to the errors.
    return JSON.parse(text) as Brand
  } catch {
    return undefined
  }
}

/** All settings as JSON, including those without a field of their own. */
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
        label={say('brand.everySetting')} class='mono' rows={24} spellcheck={false} value={cell} aria-invalid={wrong}
      />
      {wrong && <p class='small' role='alert'>{say('brand.notJson')}</p>}
    </>
  )
}
