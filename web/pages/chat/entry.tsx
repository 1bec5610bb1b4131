import { memo } from 'preact/compat'
import type { Approval, Decision } from '../../approvals/approval'
import { ApprovalCard } from '../../approvals/approval-card'
import { Markdown } from '../../parts/markdown'
import { Notice } from '../../parts/notice'
import { CallCard } from './call-card'
import type { Entry } from './transcript'

interface Props { entry: Entry, live: boolean, onDecide: (approval: Approval, decision: Decision) => Promise<unknown> }

const Content = ({ entry, live, onDecide }: Props) => {
  switch (entry.kind) {
    case 'user': return <div class='said'><span class='unseen'>You: </span>{entry.text}</div>
    case 'text': return <Markdown text={entry.text} live={live} />
    case 'notice': return (
      <Notice tone={entry.fatal ? 'bad' : 'warn'}>
        {entry.text} <code class='small'>{entry.code}</code>
      </Notice>
    )
    case 'budget':
      return <ApprovalCard approval={entry.approval} onDecide={(decision) => onDecide(entry.approval, decision)} />
    case 'call': return <CallCard call={entry} onDecide={onDecide} />
  }
}

/** Entries that did not change are not drawn again while others stream in. */
export const EntryView = memo((props: Props) => <li class={`entry ${props.entry.kind}`}><Content {...props} /></li>,
  (before, after) => before.entry === after.entry && before.live === after.live)
