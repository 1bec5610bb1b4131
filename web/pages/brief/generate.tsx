import { useSignal } from '@preact/signals'
import { Sparkles } from '../../parts/icons'
import { Link } from 'wouter-preact'
import { api, body, type Schemas } from '../../api/client'
import { useAction } from '../../api/action'
import { Badge, toneOf } from '../../parts/badge'
import { ContentProgress } from '../../parts/content-progress'
import { Notice, ProblemNotice } from '../../parts/notice'
import { formatChannel } from '../contents/channels'
import { say } from '../../texts/say'

type Generated = Schemas['GeneratedContents']

const Made = ({ generated: { banner, contents } }: { generated: Generated }) => <Notice tone='good'>
  <p>{banner}</p>
  <ul>{contents.map((one) => <li key={one.id}>
    <Link href={`/content/${one.id}`}>{one.title}</Link> · {formatChannel(one)}{' '}
    <Badge tone={toneOf(one.checks.verdict)}>{one.checks.score}</Badge>
  </li>)}
  </ul>
</Notice>

interface Props { brief: Schemas['Brief'], onMade: () => void }

/** Makes one draft for each channel, and links to the drafts. */
export const Generate = ({ brief, onMade }: Props) => {
  const made = useSignal<Generated | undefined>(undefined)
  const { run, busy, problem } = useAction(async () => {
    const answer = await body(api.POST('/content/generate', {
      // The page follows the generation's events.
      params: { header: { Prefer: 'respond-async' } }, body: { mode: 'create', brief_id: brief.id }
    }))
    // The response is a stream only if the request asks for one.
    made.value = answer as Generated
    onMade()
  })
  const { id, finished_at: finished } = made.value?.generation ?? {}
  return (
    <section class='stack' aria-label={say('brief.generate')}>
      <div class='row'>
        <button type='button' class='primary' disabled={busy} onClick={() => { void run() }}>
          <Sparkles size={16} aria-hidden='true' />{say(busy ? 'brief.making' : 'brief.make')}
        </button>
        <span class='small muted'>{say('brief.make.words')}</span>
      </div>
      {problem && <ProblemNotice problem={problem} />}
      {made.value && <Made generated={made.value} />}
      {id && !finished && <ContentProgress key={id} generation={id} onEnd={onMade} />}
    </section>
  )
}
