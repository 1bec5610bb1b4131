import { useSignal } from '@preact/signals'
import { Copy } from './icons'
import { say, type Key } from '../texts/say'

interface Props { label: string, text: string, lines?: boolean }

/** A text to put somewhere else, with a button that copies it. Without HTTPS browsers offer no clipboard. */
export const Copied = ({ label, text, lines = false }: Props) => {
  const said = useSignal<Key | undefined>(undefined)
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      said.value = 'copy.done'
    } catch {
      said.value = 'copy.refused'
    }
  }
  return (
    <div class='stack tight'>
      <div class='row fixed end'>
        <label class='field grow'><span>{label}</span>
          {lines
            ? <textarea readOnly rows={6} value={text} onFocus={({ currentTarget }) => currentTarget.select()} />
            : <input class='mono' readOnly value={text} onFocus={({ currentTarget }) => currentTarget.select()} />}
        </label>
        <button type='button' aria-label={say('copy.label', { label })} onClick={() => { void copy() }}>
          <Copy size={16} aria-hidden='true' />{say('copy.verb')}
        </button>
      </div>
      <span class='small muted' role='status'>{said.value && say(said.value)}</span>
    </div>
  )
}
