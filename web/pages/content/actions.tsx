import { useSignal } from '@preact/signals'
import { api, body, type Schemas } from '../../api/client'
import { useLocation } from 'wouter-preact'
import { ActionButton } from '../../parts/action-button'
import { ConfirmDialog } from '../../parts/confirm-dialog'
import { AreaField } from '../../parts/form'
import { FormDialog } from '../../parts/form-dialog'
import { PublishDialog } from './publish-dialog'
import { say } from '../../texts/say'

type Content = Schemas['Content']
type Move = Schemas['TransitionContent']
interface Props { content: Content, onChange: () => void }
interface DialogProps extends Props { onClose: () => void }

/** Sends the revision on the screen, so that an unseen change is not approved. */
const paramsOf = ({ id, revision }: Content) => ({ path: { content_id: id }, header: { 'If-Match': `"r${revision}"` } })

const move = (content: Content, next: Move) =>
  body(api.POST('/content/{content_id}/transitions', { params: paramsOf(content), body: next }))

const WithdrawDialog = ({ content, onClose, onChange }: DialogProps) => {
  const comment = useSignal('')
  const act = async () => {
    await move(content, { to: 'withdrawn', comment: comment.value })
    onChange()
  }
  return (
    <FormDialog title={say('content.withdraw.title')} verb={say('content.withdraw')} act={act} onClose={onClose}>
      <p>{say('content.withdraw.words', { version: String(content.approved_version) })}</p>
      <AreaField label={say('content.withdraw.why')} value={comment} required rows={3} maxLength={2000} />
    </FormDialog>
  )
}

const ChangesDialog = ({ content, onClose, onChange }: DialogProps) => {
  const comment = useSignal('')
  const act = async () => {
    await move(content, { to: 'draft', comment: comment.value })
    onChange()
  }
  return (
    <FormDialog title={say('content.changes.title')} verb={say('content.changes.send')} act={act} onClose={onClose}>
      <AreaField label={say('content.changes.what')} value={comment} required rows={4} maxLength={2000} />
    </FormDialog>
  )
}

const DeleteDialog = ({ content, onClose }: DialogProps) => {
  const [, navigate] = useLocation()
  const act = async () => {
    await body(api.DELETE('/content/{content_id}', { params: paramsOf(content) }))
    navigate('/content')
  }
  return (
    <ConfirmDialog title={say('content.delete.title')} verb={say('common.delete')} act={act} onClose={onClose}>
      {say('content.delete.words', { title: content.title })}
    </ConfirmDialog>
  )
}

const RewriteDialog = ({ content, onClose, onChange }: DialogProps) => {
  const instructions = useSignal('')
  const act = async () => {
    const request = instructions.value.trim() === '' ? {} : { instructions: instructions.value }
    await body(api.POST('/content/generate', {
      // The page follows the generation's events.
      params: { header: { Prefer: 'respond-async' } },
      body: { mode: 'rewrite', content_id: content.id, base_version: content.head_version, ...request }
    }))
    onChange()
  }
  return (
    <FormDialog title={say('content.rewrite.title')} verb={say('content.rewrite')} act={act} onClose={onClose}>
      <p>{say('content.rewrite.words')}</p>
      <AreaField label={say('content.rewrite.what')} value={instructions} rows={4} maxLength={4000} />
    </FormDialog>
  )
}

const Review = ({ content, onChange, onSendBack }: Props & { onSendBack: () => void }) => {
  const to = (next: Move['to']) => async () => {
    await move(content, { to: next })
    onChange()
  }
  // Each has its key: a button that became another one would be pressed unread by a second Enter.
  if (content.review_state === 'draft') {
    return <ActionButton key='ask' act={to('in_review')}>{say('content.askReview')}</ActionButton>
  }
  if (content.review_state === 'approved') return null
  return (
    <>
      <button key='back' type='button' onClick={onSendBack}>{say('content.changes.title')}</button>
      <ActionButton key='approve' variant='primary' act={to('approved')}>{say('content.approve')}</ActionButton>
    </>
  )
}

/** The next steps from draft to published, by the record's state. */
export const Actions = ({ content, onChange }: Props) => {
  const open = useSignal<'changes' | 'withdraw' | 'rewrite' | 'publish' | 'unpublish' | 'delete' | undefined>(undefined)
  const close = () => { open.value = undefined }
  const dialog = { content, onChange, onClose: close }
  const restore = async () => {
    await move(content, { to: 'restore' })
    onChange()
  }
  if (content.status === 'archived') return <ActionButton act={restore}>{say('content.restore')}</ActionButton>
  return (
    <>
      <button
        type='button' disabled={content.generation?.status === 'pending'} onClick={() => { open.value = 'rewrite' }}
      >{say('content.rewrite')}
      </button>
      <Review content={content} onChange={onChange} onSendBack={() => { open.value = 'changes' }} />
      {content.approved_version !== null && <button
        type='button' class='primary' onClick={() => { open.value = 'publish' }}
      >{say('content.publish')}
      </button>}
      {content.approved_version !== null && <button type='button' onClick={() => { open.value = 'withdraw' }}>
        {say('content.withdraw')}
      </button>}
      {content.published_version !== null && <button type='button' onClick={() => { open.value = 'unpublish' }}>
        {say('content.unpublish')}
      </button>}
      {content.status !== 'published' && content.status !== 'scheduled' && <button
        type='button' class='danger' onClick={() => { open.value = 'delete' }}
      >{say('common.delete')}
      </button>}
      {open.value === 'changes' && <ChangesDialog {...dialog} />}
      {open.value === 'withdraw' && <WithdrawDialog {...dialog} />}
      {open.value === 'rewrite' && <RewriteDialog {...dialog} />}
      {open.value === 'delete' && <DeleteDialog {...dialog} />}
      {(open.value === 'publish' || open.value === 'unpublish') && <PublishDialog {...dialog} what={open.value} />}
    </>
  )
}
