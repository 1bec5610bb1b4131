import { useEffect } from 'preact/hooks'
import { useSignal } from '@preact/signals'
import { useLocation } from 'wouter-preact'
import { PanelLeft } from '../../parts/icons'
import { Conversation } from './conversation'
import { SessionList } from './session-list'
import { onAnnouncedElsewhere } from './tabs'
import { Thread } from './thread'
import './chat.css'
import { say } from '../../texts/say'

const pollMs = 5_000

const watch = (conversation: Conversation) => {
  const poll = () => { if (document.visibilityState === 'visible') void conversation.refresh() }
  const timer = setInterval(poll, pollMs)
  const stopListening = onAnnouncedElsewhere((session) => {
    if (session === conversation.id) void conversation.refresh()
  })
  addEventListener('focus', poll)
  return () => {
    clearInterval(timer)
    stopListening()
    removeEventListener('focus', poll)
  }
}

/** The conversation of the address; a new one gets its address with the id from the server. */
const useConversation = (id: string | undefined) => {
  const [, navigate] = useLocation()
  const start = () => new Conversation(id, (started) => navigate(`/chat/${started}`, { replace: true }))
  const current = useSignal<Conversation>(undefined as never)
  current.value ??= start()
  if (current.peek().id !== id) {
    current.peek().close()
    current.value = start()
  }
  const conversation = current.value
  useEffect(() => {
    void conversation.open()
    return watch(conversation)
  }, [conversation])
  useEffect(() => () => current.peek().close(), [])
  return conversation
}

/** The sessions, and the conversation beside them. */
export default function ChatPage ({ id }: { id?: string }) {
  const conversation = useConversation(id)
  const shown = useSignal(false)
  useEffect(() => { shown.value = false }, [id])
  return (
    <div class={shown.value ? 'chat with-sessions' : 'chat'}>
      <SessionList current={id} />
      {shown.value && <button
        type='button' class='scrim' aria-label={say('chat.sessions.hide')}
        onClick={() => { shown.value = false }}
      />}
      <section class='thread' aria-label={say('chat.conversation')}>
        <button
          type='button' class='quiet icon sessions-toggle' aria-expanded={shown.value}
          onClick={() => { shown.value = !shown.value }}
        >
          <PanelLeft size={18} aria-hidden='true' /><span>{say('chat.sessions')}</span>
        </button>
        <Thread key={conversation} conversation={conversation} />
      </section>
    </div>
  )
}
