import { useEffect, useRef } from 'preact/hooks'
import { useSignal } from '@preact/signals'
import { AreaField, Form } from '../parts/form'
import { say } from '../texts/say'

const keyOf = (id: string) => `steward-words-${id}`

/** What a person has typed about a question; a reload keeps it. */
export const readWords = (id: string): string => sessionStorage.getItem(keyOf(id)) ?? ''

export const keepWords = (id: string, text: string): void => {
  if (text === '') sessionStorage.removeItem(keyOf(id))
  else sessionStorage.setItem(keyOf(id), text)
}

/** Characters that the API takes. */
const most = 2_000

/** What the words are: what to propose instead, or why nothing is to be done. */
export type WordsKind = 'changes' | 'reason'

const texts = {
  changes: { label: 'words.changes.label', verb: 'words.changes.verb', hint: 'words.changes.hint' },
  reason: { label: 'words.reason.label', verb: 'words.reason.verb', hint: 'words.reason.hint' }
} as const

interface Props {
  id: string
  kind: WordsKind
  busy: boolean
  /** A person has just opened it. */
  focus: boolean
  onSend: (words: { changes?: string, reason?: string }) => void
  onCancel: () => void
}

/** A rejection in words, which go to the assistant. */
export const WordsForm = ({ id, kind, busy, focus, onSend, onCancel }: Props) => {
  const element = useRef<HTMLDivElement>(null)
  useEffect(() => { if (focus) element.current?.querySelector('textarea')?.focus() }, [])
  const text = useSignal(readWords(id))
  const typed = {
    get value () { return text.value },
    set value (next: string) {
      text.value = next
      keepWords(id, next)
    }
  }
  const words = text.value.trim()
  const { label, verb, hint } = texts[kind]
  // Nothing can be changed without words; a rejection needs none.
  const isMissing = kind === 'changes' && words === ''
  const send = () => {
    if (!isMissing) onSend(kind === 'changes' ? { changes: words } : words === '' ? {} : { reason: words })
  }
  return (
    <Form unguarded class='approval-words stack tight' onSubmit={send}>
      <div ref={element}>
        <AreaField label={say(label)} value={typed} rows={3} maxLength={most} required={kind === 'changes'} />
      </div>
      <p class='small muted'>{say(hint)}</p>
      <div class='row tight'>
        <button class={kind === 'reason' ? 'danger' : 'primary'} disabled={busy || isMissing}>
          {say(verb)}
        </button>
        <button type='button' data-leave onClick={onCancel}>
          {say('approval.back')} <kbd aria-hidden='true'>Esc</kbd>
        </button>
      </div>
    </Form>
  )
}
