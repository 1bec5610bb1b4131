import { Fragment } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { offline } from '../../api/connection'
import { PlanOffer } from '../../approvals/plan-offer'
import { ProblemNotice, Notice } from '../../parts/notice'
import { Loading } from '../../parts/states'
import { Composer } from './composer'
import type { UserEntry } from './copies'
import type { Conversation } from './conversation'
import { groupCalls, type CallGroup } from './call-group'
import { Chunk, chunksOf } from './chunks'
import { useEnd } from './end'
import { EntryView } from './entry'
import { useFrame } from './frame'
import { TryIt, isGuided } from './guide'
import { Head } from './head'
import { JumpToLatest } from './jump'
import { Older } from './older'
import { waitingWrites, type Entry } from './transcript'
import { Welcome } from './welcome'
import { say } from '../../texts/say'

interface Props { conversation: Conversation }

/** @returns the last text of each answer, with the message that it answers */
const answersOf = (entries: readonly Entry[]): ReadonlyMap<Entry, UserEntry> => {
  const answers = new Map<Entry, UserEntry>()
  let question: UserEntry | undefined
  let last: Entry | undefined
  for (const entry of [...entries, undefined]) {
    if (entry === undefined || entry.kind === 'user') {
      if (question && last) answers.set(last, question)
      question = entry
      last = undefined
    } else if (entry.kind === 'text') last = entry
  }
  return answers
}

/** Leads to the writes of a turn as one plan, from before the first of them. */
const offerOf = (entries: readonly Entry[]) => {
  const waiting = waitingWrites(entries)
  const id = waiting.find(({ approval }) => approval)?.approval?.id
  return waiting.length > 1 && id !== undefined ? { before: waiting[0], id, count: waiting.length } : undefined
}

/** @returns sends the last message again, when it got an error or a stop instead of an answer */
const retryOf = (conversation: Conversation, entries: readonly Entry[]): (() => void) | undefined => {
  const last = entries.at(-1)
  const hasEnded = last?.kind === 'stopped' || (last?.kind === 'notice' && last.fatal)
  const asked = entries.findLast((entry) => entry.kind === 'user')
  if (!hasEnded || !asked || conversation.live.value) return undefined
  return () => { void conversation.send(asked.text, undefined, asked.files) }
}

/** In chunks, of which those far away are not drawn: a long conversation stays as light as a short one. */
const Entries = ({ conversation }: Props) => {
  const starts = useRef(new Set<string>())
  const groups = useRef(new Map<string, CallGroup>())
  const entries = useFrame(conversation.entries)
  const last = entries.at(-1)
  const answers = answersOf(entries)
  const offer = offerOf(entries)
  const onRetry = retryOf(conversation, entries)
  const { live: { value: live }, id: session } = conversation
  const onSay = isGuided() && !live ? (text: string) => { void conversation.send(text, undefined) } : undefined
  const show = (entry: Entry) => <Fragment key={entry.id}>
    {entry === offer?.before && <li class='entry'><PlanOffer id={offer.id} count={offer.count} /></li>}
    <EntryView
      entry={entry} onChange={(approval) => conversation.put(approval)} live={live && entry === last}
      session={session} question={answers.get(entry)} onRetry={entry === last ? onRetry : undefined}
      onSay={entry === last ? onSay : undefined}
    />
  </Fragment>
  const chunks = chunksOf(groupCalls(entries, groups.current), starts.current)
  return (
    <>
      {chunks.map((chunk, index) => {
        const isLast = index === chunks.length - 1
        const holdsOffer = offer?.before !== undefined && chunk.includes(offer.before)
        // An answer may end in the chunk after that of its message.
        const stamp = isLast ? {} : `${session} ${holdsOffer && offer.count} ${answers.has(chunk.at(-1) as Entry)}`
        return <Chunk key={chunk[0]?.id} entries={chunk} kept={isLast} stamp={stamp}>{show}</Chunk>
      })}
    </>
  )
}

/** Announces the state to screen readers when it changes, not the streamed text. */
const Announcer = ({ conversation }: Props) => {
  const waiting = conversation.waiting.value.length
  const text = waiting > 0
    ? say('chat.waiting', { count: waiting })
    : conversation.live.value ? say('chat.working') : say('chat.done')
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
  const end = useEnd(conversation)
  useEffect(() => {
    addEventListener('keydown', onShortcut)
    return () => removeEventListener('keydown', onShortcut)
  }, [])
  const { problem, loading, rejoining, live, heldUp, entries } = conversation
  const isNew = conversation.id === undefined && entries.value.length === 0
  const thinking = live.value && !heldUp.value
  return (
    <>
      <Head conversation={conversation} />
      <div
        class='thread-body' ref={end.element} onScroll={end.onScroll} tabIndex={0} role='region'
        aria-label={say('chat.messages')}
      >
        <div class='thread-width'>
          <Older conversation={conversation} end={end} />
          {loading.value && <Loading what={say('chat.loading')} />}
          {isNew && <Welcome onPick={(text) => { void conversation.send(text, undefined) }} />}
          <Entries conversation={conversation} />
          {thinking && <p class='thinking muted small'>
            <i /><i /><i /><span class='unseen'>{say('chat.busy')}</span>
          </p>}
          {rejoining.value && !offline.value && <Notice tone='warn'>{say('chat.reconnecting')}</Notice>}
          {problem.value && <ProblemNotice problem={problem.value} retry={() => { void conversation.open() }} />}
        </div>
      </div>
      <JumpToLatest end={end} />
      <Announcer conversation={conversation} />
      {isGuided() && !isNew && <TryIt disabled={live.value} onSay={(text) => { void conversation.send(text, undefined) }} />}
      <Composer conversation={conversation} />
    </>
  )
}
