import { useSignal } from '@preact/signals'
import { Link } from 'wouter-preact'
import { api, body, type Schemas } from '../../api/client'
import { usePages } from '../../api/pages'
import { Badge } from '../../parts/badge'
import { CheckField } from '../../parts/form'
import { List } from '../../parts/list'
import { Notice } from '../../parts/notice'
import { anchorOf, moreOften, wordsOfLocation } from './citations'
import { sentenceClasses } from './sentence-class'
import { say } from '../../texts/say'
import { translate } from '../../texts/translate'

type NotTakenSentence = Schemas['NotTaken']

/** Sentences that are shown at a time: a large input has thousands. */
const step = 100

const Sentence = ({ session, of }: { session: string, of: NotTakenSentence }) => <li>
  <blockquote class='cited small'>
    <Link href={`/specs/${session}/inputs/${of.input_id}/${anchorOf(of)}`}>
      <span class='unseen'>{say('spec.inInput')} </span><mark>{of.quote}</mark>
    </Link> <Badge>{say(sentenceClasses[of.class])}</Badge> {translate('reasons', of.why)}
    {of.repeats && `. ${moreOften(of.repeats)}`}
    <footer class='muted'>{wordsOfLocation(of.location)}</footer>
  </blockquote>
</li>

interface SentencesProps { session: string, of: readonly NotTakenSentence[] }

const Sentences = ({ session, of: items }: SentencesProps) => <ul class='plain stack tight'>
  {items.map((item) => <Sentence key={`${item.input_id}${item.char_start}`} session={session} of={item} />)}
</ul>

/** Whatever the documents say besides the requirements, in their order. */
const EverySentence = ({ session, version }: { session: string, version: number }) => {
  const path = { session_id: session, version }
  const sentences = usePages<NotTakenSentence>([session, version], (cursor, signal) => body(api.GET(
    '/pse/sessions/{session_id}/versions/{version}/not-taken',
    { params: { path, query: { all: true, limit: step, cursor } }, signal })))
  return (
    <List of={sentences} empty={<p class='muted'>{say('spec.notTaken.none')}</p>}>
      {(items) => <Sentences session={session} of={items} />}
    </List>
  )
}

interface NotTakenProps {
  session: string
  version: number
  of: readonly NotTakenSentence[]
  /** How many more of each class a large input has. */
  more?: readonly Schemas['NotTakenCount'][] | undefined
}

/** The sentences that the version itself names. */
const Normative = ({ session, of: items, more = [] }: NotTakenProps) => {
  const shown = useSignal(step)
  return (
    <>
      <Sentences session={session} of={items.slice(0, shown.value)} />
      {items.length > shown.value && <div>
        <button type='button' class='small' onClick={() => { shown.value += step }}>{say('spec.more')}</button>
      </div>}
      {more.length > 0 && <p class='muted small'>
        {say('spec.notTaken.more', {
          counts: more.map(({ class: kind, count }) =>
            say('spec.notTaken.ofClass', { count, kind: say(sentenceClasses[kind]) })).join(', ')
        })}
      </p>}
    </>
  )
}

/**
 * What of the documents is no requirement, with the reason and its place: the sentences with a normative verb, or every
 * one.
 */
export const NotTaken = (props: NotTakenProps) => {
  const { session, version, of: items, more = [] } = props
  const all = useSignal(false)
  const count = more.reduce((sum, one) => sum + one.count, items.length)
  return (
    <details class='card'>
      <summary>{count === 0 ? say('spec.notTaken.others') : say('spec.notTaken.count', { count })}</summary>
      <div class='stack tight'>
        <CheckField label={say('spec.notTaken.all')} value={all} />
        {all.value ? <EverySentence session={session} version={version} /> : <Normative {...props} />}
      </div>
    </details>
  )
}

/** The check PSE307 finds what of a document was not read. */
export const NotRead = ({ of: checks }: { of: Schemas['SpecVersion']['checks'] }) => {
  const found = checks?.findings.filter(({ rule_id: id, status }) => id === 'PSE307' && status !== 'fixed') ?? []
  return found.length === 0
    ? null
    : <Notice tone='warn'>
      <ul class='plain'>
        {found.map(({ finding_id: id, message }) => <li key={id}>{translate('specs', message)}.</li>)}
      </ul>
    </Notice>
}
