import { memo } from 'preact/compat'
import type { Approval } from '../../approvals/approval'
import { ApprovalCard } from '../../approvals/approval-card'
import { Markdown } from '../../parts/markdown'
import { Notice } from '../../parts/notice'
import { CallCard } from './call-card'
import { EditCopy } from './edit-copy'
import { Feedback } from './feedback'
import type { Entry } from './transcript'

const thousands = (tokens: number) => `${Math.round(tokens / 1_000)}k`

/** The summary is there once the messages were read again. */
const Compacted = ({ entry }: { entry: Extract<Entry, { kind: 'compacted' }> }) => {
  const { tokens_before: before, tokens_after: after, window, text } = entry
  const line = `Compacted here: ${thousands(before)} → ${thousands(after)} of ${thousands(window)} tokens. ` +
    'What stands above is summarised for the model.'
  return text === ''
    ? <p class='small'>{line}</p>
    : <details class='small'><summary>{line}</summary><pre>{text}</pre></details>
}

interface Props {
  entry: Entry
  live: boolean
  /** Mine; without it nothing can be rated. */
  session?: string | undefined
  onChange: (approval: Approval) => void
}

const Content = ({ entry, live, session, onChange }: Props) => {
  switch (entry.kind) {
    case 'user': return (
      <>
        <div class='message'><span class='unseen'>You: </span>{entry.text}</div>
        {session !== undefined && !live && <EditCopy session={session} message={entry.id} text={entry.text} />}
      </>
    )
    case 'text': return (
      <>
        <Markdown text={entry.text} live={live} />
        {session !== undefined && !live && <Feedback session={session} message={entry.id} rating={entry.rating} />}
      </>
    )
    case 'notice': return (
      <Notice tone={entry.fatal ? 'bad' : 'warn'}>
        {entry.text} <code class='small'>{entry.code}</code>
      </Notice>
    )
    case 'compacted': return <Compacted entry={entry} />
    case 'budget':
      return <ApprovalCard approval={entry.approval} onChange={onChange} />
    case 'call': return <CallCard call={entry} onChange={onChange} />
  }
}

/** Renders only changed entries while others stream in. */
export const EntryView = memo((props: Props) => <li class={`entry ${props.entry.kind}`}><Content {...props} /></li>,
  (before, after) => before.entry === after.entry && before.live === after.live && before.session === after.session)
