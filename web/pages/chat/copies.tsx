import { useLocation } from 'wouter-preact'
import { useSignal } from '@preact/signals'
import { api, body, type Schemas } from '../../api/client'
import { ActionButton } from '../../parts/action-button'
import { Check, Copy, GitFork, Pencil, RotateCw } from '../../parts/icons'
import { prepareDraft } from './drafts'
import { announce } from './tabs'
import type { Entry } from './transcript'
import { say } from '../../texts/say'

export type UserEntry = Extract<Entry, { kind: 'user' }>
type Fork = Schemas['ForkChatSession']

/** @returns the message's id; one that was sent from here is only known by its text yet */
const idOf = async (session: string, { id, text }: UserEntry): Promise<string> => {
  const { items } = await body(api.GET('/api/v1/agent/sessions/{session_id}/messages', {
    params: { path: { session_id: session }, query: { limit: 100 } }
  }))
  const found = items.find((item) => item.id === id) ??
    items.find((item) => item.role === 'user' && item.text === text)
  return found?.id ?? id
}

/** @returns an act that copies the session, and shows the copy */
const useCopy = (session: string) => {
  const [, navigate] = useLocation()
  return async (fork: () => Promise<Fork>, prepare?: (copy: string) => void) => {
    const params = { path: { session_id: session } }
    const copy = await body(api.POST('/api/v1/agent/sessions/{session_id}/fork', { params, body: await fork() }))
    prepare?.(copy.id)
    announce(copy.id)
    navigate(`/chat/${copy.id}`)
  }
}

/** What is said before a message, and the message as a draft, to be changed or sent again as it is. */
const useRepeat = (session: string, message: UserEntry, send: boolean) => {
  const copy = useCopy(session)
  return () => copy(
    async () => ({ before_message_id: await idOf(session, message) }),
    (id) => prepareDraft(id, { text: message.text, files: message.files ?? [], send })
  )
}

/** Copies the session up to a message, which is then to be edited and sent there. */
export const EditCopy = ({ session, message }: { session: string, message: UserEntry }) =>
  <ActionButton
    act={useRepeat(session, message, false)} variant='quiet icon small' label={say('chat.copy.edit')}
  ><Pencil size={14} aria-hidden='true' />
  </ActionButton>

/** Asks the same again, in a copy: what the first answer has done stays done. */
export const AnotherAnswer = ({ session, message }: { session: string, message: UserEntry }) =>
  <ActionButton
    act={useRepeat(session, message, true)} variant='quiet icon small' label={say('chat.copy.again')}
  ><RotateCw size={14} aria-hidden='true' />
  </ActionButton>

/** Puts the Markdown of an answer into the clipboard, which browsers offer only with HTTPS. */
export const CopyAnswer = ({ text }: { text: string }) => {
  const state = useSignal<'copy.done' | 'copy.refused' | 'chat.copy.answer'>('chat.copy.answer')
  const copy = async () => {
    const written = navigator.clipboard?.writeText(text) ?? Promise.reject(new Error('no clipboard'))
    state.value = await written.then(() => 'copy.done' as const, () => 'copy.refused' as const)
    setTimeout(() => { state.value = 'chat.copy.answer' }, 2_000)
  }
  const Sign = state.value === 'copy.done' ? Check : Copy
  return (
    <>
      <button
        type='button' class='quiet icon small' aria-label={say('chat.copy.answer')} title={say(state.value)}
        onClick={() => { void copy() }}
      ><Sign size={14} aria-hidden='true' />
      </button>
      <span class='unseen' role='status'>{state.value !== 'chat.copy.answer' && say(state.value)}</span>
    </>
  )
}

/** Copies the session with this answer, to go on from there in another way. */
export const ForkHere = ({ session, answer }: { session: string, answer: string }) => {
  const copy = useCopy(session)
  return (
    <ActionButton
      act={() => copy(async () => ({ after_message_id: answer }))} variant='quiet icon small'
      label={say('chat.copy.fork')}
    ><GitFork size={14} aria-hidden='true' />
    </ActionButton>
  )
}
