import { useSignal } from '@preact/signals'
import { Link } from 'wouter-preact'
import type { Schemas } from '../../api/client'
import { Badge } from '../../parts/badge'
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

interface NotTakenProps {
  session: string
  of: NotTakenSentence[]
  /** How many more of each class a large input has. */
  more?: Schemas['NotTakenCount'][] | undefined
}

/** Sentences with a normative verb that are no requirements: the reason, and where each stands in its document. */
export const NotTaken = ({ session, of: items, more = [] }: NotTakenProps) => {
  const shown = useSignal(step)
  if (items.length === 0) return null
  return (
    <details class='card'>
      <summary>
        {say('spec.notTaken.count', { count: items.length })}
      </summary>
      <ul class='plain stack tight'>{items.slice(0, shown.value).map((item) =>
        <Sentence key={`${item.input_id}${item.char_start}`} session={session} of={item} />)}
      </ul>
      {items.length > shown.value && <button type='button' class='small' onClick={() => { shown.value += step }}>
        {say('spec.more')}
      </button>}
      {more.length > 0 && <p class='muted small'>
        {say('spec.notTaken.more', {
          counts: more.map(({ class: kind, count }) =>
            say('spec.notTaken.ofClass', { count, kind: say(sentenceClasses[kind]) })).join(', ')
        })}
      </p>}
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
