import { useEffect, useRef } from 'preact/hooks'
import { useSignal } from '@preact/signals'
import { ProblemNotice, Notice } from '../../parts/notice'
import { Loading } from '../../parts/states'
import { MoreButton } from '../../parts/list'
import { Composer } from './composer'
import type { Conversation } from './conversation'
import { EntryView } from './entry'
import { Head } from './head'
import { Welcome } from './welcome'

interface Props { conversation: Conversation }

/** Scrolls with new entries while the reader is at the end, and not after the reader has scrolled up. */
const useStickyEnd = (conversation: Conversation) => {
  const element = useRef<HTMLDivElement>(null)
  const atEnd = useSignal(true)
  const onScroll = () => {
    const { scrollHeight = 0, scrollTop = 0, clientHeight = 0 } = element.current ?? {}
    atEnd.value = scrollHeight - scrollTop - clientHeight < 80
  }
  useEffect(() => conversation.entries.subscribe(() => {
    if (!atEnd.peek()) return
    requestAnimationFrame(() => element.current?.scrollTo({ top: element.current.scrollHeight }))
  }), [conversation])
  return { element, onScroll }
}

const Entries = ({ conversation }: Props) => {
  const entries = conversation.entries.value
  const last = entries.at(-1)
  return (
    <ol class='plain entries'>
      {entries.map((entry) => <EntryView
        key={entry.id} entry={entry} onChange={(approval) => conversation.put(approval)}
        live={conversation.live.value && entry === last} session={conversation.id}
      />)}
    </ol>
  )
}

/** Announces the state to screen readers when it changes, not the streamed text. */
const Announcer = ({ conversation }: Props) => {
  const waiting = conversation.waiting.value.length
  const text = waiting > 0
    ? `${waiting === 1 ? 'An approval waits' : `${waiting} approvals wait`} for you. Press Alt and A to go there.`
    : conversation.live.value ? 'The assistant is working' : 'The assistant is done'
  return <p class='unseen' aria-live='polite'>{conversation.entries.value.length === 0 ? '' : text}</p>
}

const onShortcut = (event: KeyboardEvent) => {
  if (!event.altKey || event.code !== 'KeyA') return
  const card = document.querySelector<HTMLElement>('.approval.pending')
  if (!card) return
  event.preventDefault()
  card.focus()
  card.scrollIntoView({ block: 'center' })
}

export const Thread = ({ conversation }: Props) => {
  const { element, onScroll } = useStickyEnd(conversation)
  useEffect(() => {
    addEventListener('keydown', onShortcut)
    return () => removeEventListener('keydown', onShortcut)
  }, [])
  const { problem, loading, older, rejoining, live, waiting, entries } = conversation
  const isNew = conversation.id === undefined && entries.value.length === 0
  const thinking = live.value && waiting.value.length === 0
  return (
    <>
      <Head conversation={conversation} />
      <div class='thread-body' ref={element} onScroll={onScroll} tabIndex={0} role='region' aria-label='Messages'>
        <div class='thread-width'>
          {older.value !== null && <MoreButton more={() => conversation.loadOlder()} />}
          {loading.value && <Loading what='Loading the conversation' />}
          {isNew && <Welcome onPick={(text) => { void conversation.send(text, undefined) }} />}
          <Entries conversation={conversation} />
          {thinking && <p class='thinking muted small'><i /><i /><i /><span class='unseen'>Working</span></p>}
          {rejoining.value && <Notice tone='warn'>The connection broke. Reconnecting …</Notice>}
          {problem.value && <ProblemNotice problem={problem.value} retry={() => { void conversation.open() }} />}
        </div>
      </div>
      <Announcer conversation={conversation} />
      <Composer conversation={conversation} />
    </>
  )
}
