import { Link } from 'wouter-preact'
import { api, body, type Schemas } from '../../api/client'
import { usePages } from '../../api/pages'
import { StateBadge } from '../../parts/badge'
import { List } from '../../parts/list'
import { Time } from '../../parts/time'
import { formatSummary } from '../../parts/label'
import { say } from '../../texts/say'

type Item = Schemas['Confirmation']

const Changed = ({ item: { preview } }: { item: Item }) => <ul class='plain small muted'>
  {preview.filter(({ diff }) => diff === undefined).map(({ label, before, after }, index) => <li key={index}>
    {label}: {before ?? '–'} → {after ?? '–'}
  </li>)}
</ul>

interface SaidProps { by: Item, what: 'question.changes' | 'question.rejected', words: string }

const Said = ({ by, what, words }: SaidProps) => <p class='notice'>
  <span>
    <strong>{say(what, { name: by.decided_by?.name ?? say('question.person') })}</strong>{' '}
    <span class='written'>{words}</span>
  </span>
</p>

const Entry = ({ item, isHere }: { item: Item, isHere: boolean }) => <li
  class='stack tight' aria-current={isHere ? 'step' : undefined}
>
  <p>
    <StateBadge state={item.status} />{' '}
    {isHere
      ? <strong>{say('question.thisOne', { summary: formatSummary(item) })}</strong>
      : <Link href={`/inbox/${item.id}`}>{formatSummary(item)}</Link>}{' '}
    <span class='small muted'><Time at={item.requested_at} /></span>
  </p>
  <Changed item={item} />
  {item.changes && <Said by={item} what='question.changes' words={item.changes} />}
  {item.reason && <Said by={item} what='question.rejected' words={item.reason} />}
</li>

/** What was asked before and after this question about the same; nothing where it stands alone. */
export const Thread = ({ id, state }: { id: string, state: string }) => {
  const thread = usePages<Item>([id, state], (cursor, signal) =>
    body(api.GET('/api/v1/agent/confirmations/{confirmation_id}/thread', {
      params: { path: { confirmation_id: id }, query: { limit: 30, cursor } }, signal
    })))
  if (thread.data && thread.items.length < 2) return null
  return (
    <section class='card stack' aria-label={say('question.thread')}>
      <h2>{say('question.threadTitle')}</h2>
      <List of={thread} empty={null}>{(items) => <ol class='plain stack'>
        {items.map((item) => <Entry key={item.id} item={item} isHere={item.id === id} />)}
      </ol>}
      </List>
    </section>
  )
}
