import { useSignal } from '@preact/signals'
import { api, body } from '../../api/client'
import { ActionButton } from '../../parts/action-button'
import { TextField } from '../../parts/form'
import { FormDialog } from '../../parts/form-dialog'
import { ThumbsDown, ThumbsUp } from '../../parts/icons'
import type { Rating } from './transcript'
import { say } from '../../texts/say'

interface Props { session: string, message: string, rating: Rating | null }

const rate = async ({ session, message }: Props, rating: Rating | null, comment?: string) => {
  const params = { path: { session_id: session, message_id: message } }
  const path = '/api/v1/agent/sessions/{session_id}/messages/{message_id}/feedback'
  await (rating === null
    ? body(api.DELETE(path, { params }))
    : body(api.PUT(path, { params, body: { rating, ...(comment !== undefined && { comment }) } })))
}

const CommentDialog = ({ onSend, onClose }: { onSend: (comment: string) => Promise<void>, onClose: () => void }) => {
  const text = useSignal('')
  return (
    <FormDialog
      title={say('chat.feedback.title')} verb={say('chat.send')} act={() => onSend(text.value.trim())} onClose={onClose}
      ready={text.value.trim() !== ''}
    >
      <TextField label={say('chat.feedback.comment')} value={text} maxLength={2000} />
    </FormDialog>
  )
}

/** Whether an answer was good; a bad one may be explained. */
export const Feedback = (props: Props) => {
  const rating = useSignal(props.rating)
  const asks = useSignal(false)
  const set = async (next: Rating, comment?: string) => {
    const wanted = rating.value === next && comment === undefined ? null : next
    await rate(props, wanted, comment)
    rating.value = wanted
    asks.value = wanted === 'bad' && comment === undefined
  }
  return (
    <p class='feedback row tight'>
      <ActionButton
        act={() => set('good')} variant='quiet icon small' label={say('chat.feedback.good')}
        pressed={rating.value === 'good'}
      ><ThumbsUp size={14} aria-hidden='true' />
      </ActionButton>
      <ActionButton
        act={() => set('bad')} variant='quiet icon small' label={say('chat.feedback.bad')}
        pressed={rating.value === 'bad'}
      ><ThumbsDown size={14} aria-hidden='true' />
      </ActionButton>
      {asks.value &&
        <CommentDialog onSend={(comment) => set('bad', comment)} onClose={() => { asks.value = false }} />}
    </p>
  )
}
