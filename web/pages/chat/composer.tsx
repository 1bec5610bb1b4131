import { useEffect, useRef } from 'preact/hooks'
import { useSignal } from '@preact/signals'
import { ArrowUp, Square } from '../../parts/icons'
import type { Conversation } from './conversation'
import { keepDraft, readDraft } from './drafts'

const maxHeight = 240

const fit = (element: HTMLTextAreaElement | null) => {
  if (!element) return
  element.style.height = 'auto'
  element.style.height = `${Math.min(maxHeight, element.scrollHeight + 2)}px`
}

const useDraft = (conversation: Conversation) => {
  const text = useSignal(readDraft(conversation.id))
  const set = (next: string) => {
    text.value = next
    keepDraft(conversation.id, next)
  }
  return { text: text.value, set }
}

const StopButton = ({ conversation }: { conversation: Conversation }) =>
  <button
    type='button' class='icon send' aria-label='Stop' title='Stop' disabled={conversation.stopping.value}
    onClick={() => { void conversation.stop() }}
  >
    <Square size={15} fill='currentColor' aria-hidden='true' />
  </button>

/** Enter sends, Shift+Enter starts a line. While approvals wait, a new message closes them unexecuted. */
export const Composer = ({ conversation }: { conversation: Conversation }) => {
  const { text, set } = useDraft(conversation)
  const element = useRef<HTMLTextAreaElement>(null)
  useEffect(() => fit(element.current), [text])
  useEffect(() => { if (matchMedia('(hover: hover)').matches) element.current?.focus() }, [conversation])
  const waiting = conversation.waiting.value.length > 0
  const busy = conversation.live.value && !waiting
  const send = async () => {
    if (busy || text.trim() === '') return
    const message = text
    set('')
    if (!await conversation.send(message, { current_page: location.hash.slice(1) || '/' })) set(message)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return
    event.preventDefault()
    void send()
  }
  return (
    <form class='composer' onSubmit={(event) => { event.preventDefault(); void send() }}>
      <div class='composer-box'>
        <textarea
          ref={element} rows={1} aria-label='Message to the assistant' value={text} onKeyDown={onKeyDown}
          placeholder={waiting ? 'A new message closes the pending approvals' : 'Ask, or give an instruction'}
          onInput={(event) => set(event.currentTarget.value)}
        />
        {conversation.live.value && <StopButton conversation={conversation} />}
        {!busy && <button class='primary icon send' aria-label='Send' title='Send' disabled={text.trim() === ''}>
          <ArrowUp size={17} aria-hidden='true' />
        </button>}
      </div>
      <p class='small muted'>Reads run at once. Every change waits for your approval.</p>
    </form>
  )
}
