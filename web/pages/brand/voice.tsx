import { asLines, field, optional, type Cell } from '../../parts/cell'
import { AreaField, NumberField, TextField } from '../../parts/form'
import type { Brand } from './index'

const tones = [
  { name: 'formality', label: 'Formal', min: 1, max: 5, usual: 3 },
  { name: 'energy', label: 'Lively', min: 1, max: 5, usual: 3 },
  { name: 'warmth', label: 'Warm', min: 1, max: 5, usual: 3 },
  { name: 'confidence', label: 'Sure of itself', min: 1, max: 5, usual: 3 },
  { name: 'humor', label: 'Funny', min: 0, max: 3, usual: 0 }
] as const

/** The voice of the project. */
export const Voice = ({ brand }: { brand: Cell<Brand> }) => {
  const voice = field(brand, 'voice')
  return (
    <>
      <div class='fields'>
        <TextField label='Name' value={optional(brand, 'name', '')} maxLength={200} />
        <TextField label='What it is' value={optional(brand, 'description', '')} maxLength={2000} />
      </div>
      <AreaField label='Voice' rows={2} value={optional(voice, 'summary', '')} maxLength={1000} />
      <div class='fields'>
        <AreaField label='Principles, one per line' rows={4} value={asLines(optional(voice, 'principles', []))} />
        <AreaField label='Do, one per line' rows={4} value={asLines(optional(voice, 'do', []))} />
        <AreaField label='Do not, one per line' rows={4} value={asLines(optional(voice, 'dont', []))} />
      </div>
      <div class='fields'>
        {tones.map(({ name, label, min, max, usual }) => <NumberField
          key={name} label={`${label} (${min}–${max})`} value={optional(field(brand, 'tone'), name, usual)}
          min={min} max={max}
        />)}
      </div>
    </>
  )
}
