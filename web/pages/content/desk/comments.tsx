import './desk.css'
import { useSignal, type Signal } from '@preact/signals'
import { api, body, type Schemas } from '../../../api/client'
import { usePages } from '../../../api/pages'
import { Choice } from '../../../parts/form'
import { MessageSquarePlus } from '../../../parts/icons'
import { List } from '../../../parts/list'
import { MarkedText, type Mark } from '../../../parts/marked-text'
import { Empty } from '../../../parts/states'
import { formatField, textsOf } from '../fields'
import { CommentDialog } from './comment-dialog'
import { useSelection } from './selection'
import { markOf, ThreadItem } from './thread'
import { say, sayEach } from '../../../texts/say'

type Content = Schemas['Content']
type Thread = Schemas['ContentThread']

const statuses = { open: 'comment.open', resolved: 'comment.done', all: 'comment.all' } as const

const marksOf = (threads: Thread[], field: string): Mark[] => threads.flatMap((thread) => {
  const { anchor, comments } = thread
  if (anchor?.field !== field) return []
  const title = comments[0] ? `${comments[0].author.name}: ${comments[0].text}` : ''
  return [{ id: markOf(thread), start: anchor.start, end: anchor.end, tone: 'info', title }]
})

/** In the order of the text; what is gone from it comes last. */
const inOrder = (threads: Thread[], fields: string[]): Thread[] => threads.toSorted((one, other) => {
  const placeOf = ({ anchor }: Thread) => anchor ? fields.indexOf(anchor.field) * 1e6 + anchor.start : Infinity
  return placeOf(one) === placeOf(other) ? 0 : placeOf(one) - placeOf(other)
})

const Texts = ({ content, threads, active }: {
  content: Content, threads: Thread[], active: Signal<string | undefined>
}) => {
  const pick = (id: string) => {
    active.value = id
    document.getElementById(id)?.scrollIntoView({ block: 'nearest' })
  }
  return (
    <article class='card stack' aria-label={say('content.text')}>
      {textsOf(content).map(([field, text]) => <section key={field} class='stack tight'>
        <h2 class='small muted'>{formatField(field)}</h2>
        <div data-field={field}>
          <MarkedText text={text} marks={marksOf(threads, field)} active={active.value} onPick={pick} />
        </div>
      </section>)}
    </article>
  )
}

/** The text with a mark for each comment, and the comments beside it. */
export const Comments = ({ content }: { content: Content }) => {
  const active = useSignal<string | undefined>(undefined)
  const adding = useSignal(false)
  const status = useSignal<keyof typeof statuses>('open')
  const picked = useSelection()
  const threads = usePages<Thread>([content.id, content.revision, status.value], (cursor, signal) =>
    body(api.GET('/content/{content_id}/comments', {
      params: { path: { content_id: content.id }, query: { limit: 100, cursor, status: status.value } }, signal
    })))
  const fields = textsOf(content).map(([field]) => field)
  const close = () => {
    adding.value = false
    picked.value = undefined
  }
  return (
    <div class='beside'>
      <Texts content={content} threads={threads.items} active={active} />
      <section class='card flush' aria-label={say('content.tab.comments')}>
        <header><h2>{say('content.tab.comments')}</h2>
          <div class='row tight'>
            <Choice label={say('comment.shown')} value={status} options={sayEach(statuses)} unseen />
            <button type='button' class='small primary' onClick={() => { adding.value = true }}>
              {say(picked.value ? 'comment.selection' : 'comment.add')}
            </button>
          </div>
        </header>
        <List
          of={threads} empty={<Empty icon={MessageSquarePlus} title={say('comment.none')}>
            <p>{say('comment.none.words')}</p>
          </Empty>}
        >{(items) => <ol class='plain findings' tabIndex={0} aria-label={say('comment.list')}>
          {inOrder(items, fields).map((thread) => <ThreadItem
            key={thread.id} thread={thread} active={active} onChange={threads.reload}
          />)}
        </ol>}
        </List>
      </section>
      {adding.value && <CommentDialog
        content={content} picked={picked.value} onClose={close} onChange={threads.reload}
      />}
    </div>
  )
}
