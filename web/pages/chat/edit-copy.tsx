import { useLocation } from 'wouter-preact'
import { api, body } from '../../api/client'
import { ActionButton } from '../../parts/action-button'
import { Pencil } from '../../parts/icons'
import { keepDraft } from './drafts'
import { announce } from './tabs'

interface Props { session: string, message: string, text: string }

/** @returns the message's id; one that was sent from here is only known by its text yet */
const idOf = async ({ session, message, text }: Props): Promise<string> => {
  const { items } = await body(api.GET('/api/v1/agent/sessions/{session_id}/messages', {
    params: { path: { session_id: session }, query: { limit: 100 } }
  }))
  const found = items.find(({ id }) => id === message) ??
    items.find((item) => item.role === 'user' && item.text === text)
  return found?.id ?? message
}

/** Copies the session up to a message, which is then to be edited and sent there: also to have another answer. */
export const EditCopy = (props: Props) => {
  const [, navigate] = useLocation()
  const act = async () => {
    const params = { path: { session_id: props.session } }
    const copy = await body(api.POST('/api/v1/agent/sessions/{session_id}/fork', {
      params, body: { before_message_id: await idOf(props) }
    }))
    keepDraft(copy.id, props.text)
    announce(copy.id)
    navigate(`/chat/${copy.id}`)
  }
  return (
    <ActionButton act={act} variant='quiet icon small' label='Edit in a copy of the session'>
      <Pencil size={14} aria-hidden='true' />
    </ActionButton>
  )
}
