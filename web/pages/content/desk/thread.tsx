import { useSignal, type Signal } from '@preact/signals'
import { api, body, type Schemas } from '../../../api/client'
import { useAction } from '../../../api/action'
import { ActionButton } from '../../../parts/action-button'
import { Badge } from '../../../parts/badge'
import { AreaField, Form } from '../../../parts/form'
import { goToMark } from '../../../parts/marked-text'
import { ProblemNotice } from '../../../parts/notice'
import { Time } from '../../../parts/time'
import { formatField } from '../fields'
import { Said } from './said'
import { say, sayWith } from '../../../texts/say'

type Thread = Schemas['ContentThread']

export const markOf = ({ id }: Thread): string => `comment-${id}`

const fates = {
  same: undefined,
  changed: { tone: 'info', text: 'comment.changed' },
  gone: { tone: 'warn', text: 'comment.gone' }
} as const

const Reply = ({ thread, onChange }: { thread: Thread, onChange: () => void }) => {
  const text = useSignal('')
  const { run, busy, problem } = useAction(async () => {
    await body(api.POST('/content/{content_id}/comments/{comment_id}/replies', {
      params: { path: { content_id: thread.content_id, comment_id: thread.id } }, body: { text: text.value }
    }))
    text.value = ''
    onChange()
  })
  return (
    <details class='small'><summary>{say('comment.reply')}</summary>
      <Form label={say('comment.reply')} class='stack tight' onSubmit={() => run()}>
        <AreaField label={say('comment.yourReply')} value={text} required rows={2} maxLength={5_000} />
        {problem && <ProblemNotice problem={problem} />}
        <div><button class='small' disabled={busy}>{say('comment.sendReply')}</button></div>
      </Form>
    </details>
  )
}

interface Props { thread: Thread, active: Signal<string | undefined>, onChange: () => void }

const Head = ({ thread, active }: Pick<Props, 'thread' | 'active'>) => {
  const fate = fates[thread.passage]
  const show = () => {
    active.value = markOf(thread)
    goToMark(markOf(thread))
  }
  return (
    <>
      <div class='row tight'>
        <span class='small muted grow'>
          {formatField(thread.anchor?.field ?? thread.field)} ·{' '}
          {say('comment.onVersion', { version: String(thread.version) })}
        </span>
        {fate && <Badge tone={fate.tone}>{say(fate.text)}</Badge>}
        {thread.status === 'resolved' && <Badge tone='good'>{say('comment.resolved')}</Badge>}
      </div>
      <blockquote class='quote'>{thread.quote.exact}</blockquote>
      {thread.passage === 'changed' && <p class='small muted'>
        {say('comment.now', { text: thread.anchor?.exact ?? '' })}
      </p>}
      {thread.anchor && <div><button
        type='button' class='small' onClick={show}
        aria-label={say('content.showOne', { text: thread.anchor.exact.slice(0, 60) })}
      >{say('content.show')}
      </button>
      </div>}
    </>
  )
}

/** One thread: the words, what became of them, what was said, and what to do. */
export const ThreadItem = ({ thread, active, onChange }: Props) => {
  const settle = async () => {
    const { content_id, id: comment_id, revision, status } = thread
    await body(api.PATCH('/content/{content_id}/comments/{comment_id}', {
      params: { path: { content_id, comment_id }, header: { 'If-Match': `"r${revision}"` } },
      body: { resolved: status === 'open' }
    }))
    onChange()
  }
  return (
    <li id={markOf(thread)} class={active.value === markOf(thread) ? 'finding active' : 'finding'}>
      <Head thread={thread} active={active} />
      <ol class='plain stack tight'>{thread.comments.map((comment) => <li key={comment.id}>
        <Said thread={thread} comment={comment} onChange={onChange} />
      </li>)}
      </ol>
      {thread.resolved_by && <p class='small muted'>
        {sayWith('comment.resolvedBy', { name: thread.resolved_by.name, when: <Time at={thread.resolved_at} /> })}
      </p>}
      <Reply thread={thread} onChange={onChange} />
      <div>
        <ActionButton variant='small' act={settle}>
          {say(thread.status === 'open' ? 'comment.resolve' : 'comment.openAgain')}
        </ActionButton>
      </div>
    </li>
  )
}
