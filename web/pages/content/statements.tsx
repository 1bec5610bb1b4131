import { useSignal } from '@preact/signals'
import { api, body, type Schemas } from '../../api/client'
import { useResource } from '../../api/resource'
import { Badge, formatState } from '../../parts/badge'
import { TextField } from '../../parts/form'
import { FormDialog } from '../../parts/form-dialog'
import { Loaded } from '../../parts/states'
import { Time } from '../../parts/time'
import { say, sayWith, type Key } from '../../texts/say'
import { translate } from '../../texts/translate'

type Content = Schemas['Content']
type Statement = Schemas['ContentStatement']

const tones = { follows: 'good', partly: 'warn', not: 'bad', no_claim: 'plain', unchecked: 'plain' } as const

const whyNot = {
  no_facts: 'statements.why.noFacts',
  cites_no_fact: 'statements.why.citesNone',
  not_judged: 'statements.why.notJudged',
  facts_changed: 'statements.why.changed'
} as const satisfies Record<NonNullable<Statement['why']>, Key>

const AcceptDialog = ({ content, statement, onClose, onChange }: {
  content: Content, statement: Statement, onClose: () => void, onChange: () => void
}) => {
  const because = useSignal('')
  const act = async () => {
    await body(api.POST('/content/{content_id}/statements/accept', {
      params: { path: { content_id: content.id }, header: { 'If-Match': `"r${content.revision}"` } },
      body: { text: statement.text, ...(because.value.trim() !== '' && { because: because.value }) }
    }))
    onChange()
  }
  return (
    <FormDialog title={say('statements.accept.title')} verb={say('statements.accept.verb')} act={act} onClose={onClose}>
      <blockquote>{statement.text}</blockquote>
      <p>{say('statements.accept.words')}</p>
      <TextField label={say('statements.accept.because')} value={because} maxLength={500} />
    </FormDialog>
  )
}

const isOpen = ({ verdict, accepted }: Statement): boolean => accepted === null && (verdict === 'not' || verdict === 'partly')

const Item = ({ statement, onAccept }: { statement: Statement, onAccept: () => void }) => {
  const { text, verdict, why, reason, fact_ids: facts, accepted } = statement
  return (
    <li class='finding'>
      <p>{text}</p>
      <div class='row tight'>
        <Badge tone={accepted ? 'plain' : tones[verdict]}>{formatState(verdict)}</Badge>
        <span class='small muted grow'>
          {reason !== null && translate('findings', reason)}{why !== null && say(whyNot[why])}
          {facts.length > 0 && <> · {facts.map((id) => <code key={id}>{id} </code>)}</>}
          {accepted && <> · {sayWith('statements.accepted', { name: accepted.by.name, at: <Time at={accepted.at} /> })}
            {accepted.because !== null && ` ${accepted.because}`}
          </>}
        </span>
        {isOpen(statement) && <button
          type='button' class='small' onClick={onAccept} aria-label={say('statements.acceptOne', { text })}
        >{say('statements.accept')}
        </button>}
      </div>
    </li>
  )
}

const ofNote = {
  meaning: 'statements.note.meaning',
  facts: 'statements.note.facts',
  names: 'statements.note.names',
  spelling: 'statements.note.spelling',
  grammar: 'statements.note.grammar'
} as const

/** What the score says nothing about, and why. */
const Unchecked = ({ content: { checks: { unchecked = [] } } }: { content: Content }) => unchecked.length === 0
  ? null
  : <section aria-label={say('statements.unchecked')}>
    <h3>{say('statements.unchecked')}</h3>
    <ul>{unchecked.map(({ what, why }) => <li key={why}><strong>{say(ofNote[what])}</strong>: {translate('findings', why)}</li>)}</ul>
  </section>

/** Each sentence with its verdict: what does not follow stands first, and can be accepted. */
export const Statements = ({ content, onChange }: { content: Content, onChange: () => void }) => {
  const accepting = useSignal<Statement | undefined>(undefined)
  const found = useResource([content.id, content.revision], (signal) => body(api.GET('/content/{content_id}/statements',
    { params: { path: { content_id: content.id }, query: { version: content.version } }, signal })))
  const changed = () => {
    found.reload()
    onChange()
  }
  return (
    <section class='card stack' aria-label={say('statements.title')}>
      <Loaded of={found}>{({ items, open, counts, omitted }) => <>
        <header class='row'><h2 class='grow'>{say('statements.title')}</h2>
          {open > 0 ? <Badge tone='bad'>{say('statements.open', { count: open })}</Badge> : null}
        </header>
        <p class='small muted'>{Object.entries(counts).filter(([, count]) => count > 0)
          .map(([verdict, count]) => `${count} ${formatState(verdict)}`).join(' · ')}
        </p>
        <ol class='plain findings' tabIndex={0} aria-label={say('statements.list')}>
          {items.toSorted((one, other) => Number(isOpen(other)) - Number(isOpen(one))).map((one) => <Item
            key={one.number} statement={one} onAccept={() => { accepting.value = one }}
          />)}
        </ol>
        {omitted > 0 && <p class='small muted'>{say('statements.omitted', { count: omitted })}</p>}
        <Unchecked content={content} />
      </>}
      </Loaded>
      {accepting.value && <AcceptDialog
        content={content} statement={accepting.value} onChange={changed} onClose={() => { accepting.value = undefined }}
      />}
    </section>
  )
}
