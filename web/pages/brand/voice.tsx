import { asLines, field, optional, type Cell } from '../../parts/cell'
import { AreaField, NumberField, TextField } from '../../parts/form'
import type { Brand } from './index'
import { say } from '../../texts/say'

const tones = [
  { name: 'formality', label: 'brand.tone.formality', min: 1, max: 5, usual: 3 },
  { name: 'energy', label: 'brand.tone.energy', min: 1, max: 5, usual: 3 },
  { name: 'warmth', label: 'brand.tone.warmth', min: 1, max: 5, usual: 3 },
  { name: 'confidence', label: 'brand.tone.confidence', min: 1, max: 5, usual: 3 },
  { name: 'humor', label: 'brand.tone.humor', min: 0, max: 3, usual: 0 }
] as const

/** The voice of the project. */
export const Voice = ({ brand }: { brand: Cell<Brand> }) => {
  const voice = field(brand, 'voice')
  return (
    <>
      <div class='fields'>
        <TextField label={say('common.name')} value={optional(brand, 'name', '')} maxLength={200} />
        <TextField label={say('brand.description')} value={optional(brand, 'description', '')} maxLength={2000} />
      </div>
      <AreaField label={say('brand.voice')} rows={2} value={optional(voice, 'summary', '')} maxLength={1000} />
      <div class='fields'>
        <AreaField label={say('brand.principles')} rows={4} value={asLines(optional(voice, 'principles', []))} />
        <AreaField label={say('brand.do')} rows={4} value={asLines(optional(voice, 'do', []))} />
        <AreaField label={say('brand.dont')} rows={4} value={asLines(optional(voice, 'dont', []))} />
      </div>
      <div class='fields'>
        {tones.map(({ name, label, min, max, usual }) => <NumberField
          key={name} label={`${say(label)} (${min}–${max})`} value={optional(field(brand, 'tone'), name, usual)}
          min={min} max={max}
        />)}
      </div>
    </>
  )
}
