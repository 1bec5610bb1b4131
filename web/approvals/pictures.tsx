import { useSignal } from '@preact/signals'
import { say } from '../texts/say'
import type { Pictured, Sides } from './pictured'
import './pictures.css'

const One = ({ picture: { path, alt } }: { picture: Pictured }) => {
  const size = useSignal('')
  const isGone = useSignal(false)
  const words = alt || say('preview.picture.noAlt')
  const measure = ({ naturalWidth, naturalHeight }: HTMLImageElement) => {
    size.value = `${naturalWidth} × ${naturalHeight}`
  }
  const picture = (
<img
  src={path} alt={words} onError={() => { isGone.value = true }}
  onLoad={({ currentTarget }) => { measure(currentTarget) }}
/>
  )
  return (
    <li>
      {isGone.value
        ? <p class='small muted'>{say('preview.picture.gone')}</p>
        : <a href={path} target='_blank' rel='noopener noreferrer'>{picture}</a>}
      <p class='small'>
        {alt ? <q>{alt}</q> : <span class='muted'>{say('preview.picture.noAlt')}</span>}
        {size.value && <span class='muted'> {size.value}</span>}
      </p>
    </li>
  )
}

const Side = ({ heading, pictures }: { heading: string, pictures: Pictured[] }) => <div>
  <p class='small muted'>{heading}</p>
  {pictures.length === 0
    ? <p class='small muted'>{say('preview.picture.none')}</p>
    : <ul>{pictures.map((picture) => <One key={picture.path} picture={picture} />)}</ul>}
</div>

/** The pictures that a change takes away and puts there, side by side; each opens whole in a window of its own. */
export const Pictures = ({ label, sides: { before, after } }: { label: string, sides: Sides }) => <figure
  class='stack tight'
>
  <figcaption><strong>{say('preview.pictures', { label })}</strong></figcaption>
  <div class='both-pictures'>
    <Side heading={say('preview.before')} pictures={before} />
    <Side heading={say('preview.after')} pictures={after} />
  </div>
</figure>
