import { useSignal } from '@preact/signals'
import { Sparkles } from 'lucide-preact'
import { Link } from 'wouter-preact'
import { api, body, type Schemas } from '../../api/client'
import { useAction } from '../../api/action'
import { Badge, sayWord, toneOf } from '../../parts/badge'
import { ContentProgress } from '../../parts/content-progress'
import { Notice, ProblemNotice } from '../../parts/notice'

type Generated = Schemas['GeneratedContents']

const Made = ({ generated: { banner, contents } }: { generated: Generated }) => <Notice tone='good'>
  <p>{banner}</p>
  <ul>{contents.map((one) => <li key={one.id}>
    <Link href={`/content/${one.id}`}>{one.title}</Link> · {sayWord(one.network ?? one.channel)}{' '}
    <Badge tone={toneOf(one.checks.verdict)}>{one.checks.score}</Badge>
  </li>)}
  </ul>
</Notice>

interface Props { brief: Schemas['Brief'], onMade: () => void }

/** Makes one draft a channel, and leads to them. */
export const Generate = ({ brief, onMade }: Props) => {
  const made = useSignal<Generated | undefined>(undefined)
  const { run, busy, problem } = useAction(async () => {
    const answer = await body(api.POST('/content/generate', {
      // What a model writes is followed, as it goes on.
      params: { header: { Prefer: 'respond-async' } }, body: { mode: 'create', brief_id: brief.id }
    }))
    // Events come only to those who ask for them.
    made.value = answer as Generated
    onMade()
  })
  const { id, finished_at: finished } = made.value?.generation ?? {}
  return (
    <section class='stack' aria-label='Generate'>
      <div class='row'>
        <button type='button' class='primary' disabled={busy} onClick={() => { void run() }}>
          <Sparkles size={16} aria-hidden='true' />{busy ? 'Making drafts …' : 'Make drafts'}
        </button>
        <span class='small muted'>One a channel, of nothing but this brief and the brand.</span>
      </div>
      {problem && <ProblemNotice problem={problem} />}
      {made.value && <Made generated={made.value} />}
      {id && !finished && <ContentProgress key={id} generation={id} onEnd={onMade} />}
    </section>
  )
}
