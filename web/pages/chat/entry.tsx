import { memo } from 'preact/compat'
import { baseUrl, type Schemas } from '../../api/client'
import type { Approval } from '../../approvals/approval'
import { ApprovalCard } from '../../approvals/approval-card'
import { CircleStop, RotateCw } from '../../parts/icons'
import { Markdown } from '../../parts/markdown'
import { Notice, ProblemWords } from '../../parts/notice'
import { toProblem } from '../../parts/problem-words'
import { CallCard } from './call-card'
import { CallGroupCard } from './call-group'
import { AnotherAnswer, CopyAnswer, EditCopy, ForkHere, type UserEntry } from './copies'
import { Feedback } from './feedback'
import { Offers, splitOffers } from './guide'
import type { Entry } from './transcript'
import { say } from '../../texts/say'

const thousands = (tokens: number) => `${Math.round(tokens / 1_000)}k`

const moves = { overloaded: 'chat.moved.overloaded', retired: 'chat.moved.retired' } as const

/** The summary is there once the messages were read again. */
const Compacted = ({ entry }: { entry: Extract<Entry, { kind: 'compacted' }> }) => {
  const { tokens_before: before, tokens_after: after, window, text } = entry
  const line = say('chat.compacted',
    { before: thousands(before), after: thousands(after), window: thousands(window) })
  return text === ''
    ? <p class='small'>{line}</p>
    : <details class='small'><summary>{line}</summary><pre>{text}</pre></details>
}

const Files = ({ files }: { files: readonly Schemas['Attachment'][] }) => files.length === 0
  ? null
  : (
    <ul class='plain files small' aria-label={say('chat.entry.files')}>
      {files.map(({ id, name }) => <li key={id}>
        <a href={`${baseUrl}/api/v1/agent/attachments/${id}`} download={name}>{name}</a>
      </li>)}
    </ul>
    )

interface Props {
  entry: Entry
  live: boolean
  /** Mine; without it nothing can be rated. */
  session?: string | undefined
  /** Sends the message before it again; of the last entry, when that is an error or a stop. */
  onRetry?: (() => void) | undefined
  /** What the whole answer is to; of its last text only. */
  question?: UserEntry | undefined
  /** Says what an answer offers; of the last one, while nothing runs and no model is connected. */
  onSay?: ((text: string) => void) | undefined
  onChange: (approval: Approval) => void
}

const AnswerActions = ({ session, entry, question }: {
  session: string, entry: Extract<Entry, { kind: 'text' }>, question: UserEntry | undefined
}) => (
  <div class='row tight'>
    <Feedback session={session} message={entry.id} rating={entry.rating} />
    <CopyAnswer text={entry.text} />
    {question && <AnotherAnswer session={session} message={question} />}
    {question && <ForkHere session={session} answer={entry.id} />}
  </div>
)

const Retry = ({ onRetry }: Pick<Props, 'onRetry'>) => onRetry
  ? <button type='button' class='small' onClick={onRetry}>
    <RotateCw size={14} aria-hidden='true' />{say('chat.again')}
  </button>
  : null

type AnswerProps = Pick<Props, 'live' | 'session' | 'question' | 'onSay'> & { entry: Extract<Entry, { kind: 'text' }> }

const Answer = ({ entry, live, session, question, onSay }: AnswerProps) => {
  const { text, offers } = onSay ? splitOffers(entry.text) : { text: entry.text, offers: [] }
  return (
    <>
      <Markdown text={text} live={live} />
      {onSay && offers.length > 0 && <Offers offers={offers} onSay={onSay} />}
      {session !== undefined && !live && <AnswerActions session={session} entry={entry} question={question} />}
    </>
  )
}

const Content = ({ entry, live, session, question, onChange, onRetry, onSay }: Props) => {
  switch (entry.kind) {
    case 'user': return (
      <>
        <div class='message'><span class='unseen'>{say('chat.you')} </span><bdi>{entry.text}</bdi></div>
        <Files files={entry.files ?? []} />
        {session !== undefined && !live && <EditCopy session={session} message={entry} />}
      </>
    )
    case 'text': return <Answer entry={entry} live={live} session={session} question={question} onSay={onSay} />
    case 'notice': return (
      <Notice tone={entry.fatal ? 'bad' : 'warn'} action={<Retry onRetry={onRetry} />}>
        <ProblemWords problem={toProblem({ code: entry.code, message: entry.text })} />
      </Notice>
    )
    case 'stopped': return (
      <p class='small muted row tight'>
        <CircleStop size={14} aria-hidden='true' />{say('chat.stopped')} <Retry onRetry={onRetry} />
      </p>
    )
    case 'moved': return (
      <p class='small'>{say(moves[entry.reason], { from: entry.from, to: entry.to })}</p>
    )
    case 'compacted': return <Compacted entry={entry} />
    case 'budget':
      return <ApprovalCard approval={entry.approval} onChange={onChange} />
    case 'calls': return <CallGroupCard group={entry} />
    case 'call': return <CallCard call={entry} onChange={onChange} />
  }
}

/** Renders only changed entries while others stream in. */
export const EntryView = memo((props: Props) => <li class={`entry ${props.entry.kind}`}><Content {...props} /></li>,
  (before, after) => before.entry === after.entry && before.live === after.live && before.session === after.session &&
    before.question === after.question && (before.onRetry === undefined) === (after.onRetry === undefined) &&
    (before.onSay === undefined) === (after.onSay === undefined))
