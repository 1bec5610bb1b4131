import { useSignal } from '@preact/signals'
import { api, body, type Schemas } from '../../../api/client'
import { me } from '../../../shell/session'
import { ActionButton } from '../../../parts/action-button'
import { AreaField } from '../../../parts/form'
import { FormDialog } from '../../../parts/form-dialog'
import { Time } from '../../../parts/time'
import { say, sayWith } from '../../../texts/say'

type Thread = Schemas['ContentThread']
type Comment = Thread['comments'][number]

interface Props { thread: Thread, comment: Comment, onChange: () => void }

const path = '/content/{content_id}/comments/{comment_id}/replies/{reply_id}'

const paramsOf = ({ thread, comment }: Props) => ({
  path: { content_id: thread.content_id, comment_id: thread.id, reply_id: comment.id },
  header: { 'If-Match': `"r${thread.revision}"` }
})

const EditDialog = (props: Props & { onClose: () => void }) => {
  const text = useSignal(props.comment.text)
  const act = async () => {
    await body(api.PATCH(path, { params: paramsOf(props), body: { text: text.value } }))
    props.onChange()
  }
  return (
    <FormDialog title={say('comment.edit')} verb={say('common.save')} act={act} onClose={props.onClose}>
      <AreaField label={say('comment.comment')} value={text} required rows={4} maxLength={5_000} />
    </FormDialog>
  )
}

const Own = (props: Props) => {
  const isEditing = useSignal(false)
  const remove = async () => {
    await body(api.DELETE(path, { params: paramsOf(props) }))
    props.onChange()
  }
  return (
    <div class='row tight'>
      <button type='button' class='small' onClick={() => { isEditing.value = true }}>
        {say('common.change')}
      </button>
      <ActionButton variant='small' act={remove}>{say('common.delete')}</ActionButton>
      {isEditing.value && <EditDialog {...props} onClose={() => { isEditing.value = false }} />}
    </div>
  )
}

/** What a person said in a thread; who wrote it may change it. */
export const Said = (props: Props) => {
  const { author, created_at: at, edited_at: edited, deleted_at: deleted, text } = props.comment
  const isOwn = author.id === me.value?.user.id
  return (
    <>
      <span class='small'><strong>{author.name}</strong> · <Time at={at} />
        {edited && !deleted && <> · {sayWith('comment.edited', { when: <Time at={edited} /> })}</>}
      </span>
      {deleted
        ? <p class='small muted'>{sayWith('comment.deleted', { when: <Time at={deleted} /> })}</p>
        : <p class='said'>{text}</p>}
      {isOwn && !deleted && <Own {...props} />}
    </>
  )
}
