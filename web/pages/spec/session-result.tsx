import { Link } from 'wouter-preact'
import type { Schemas } from '../../api/client'
import { StateBadge } from '../../parts/badge'
import { FileCheck2 } from '../../parts/icons'
import { Time } from '../../parts/time'
import type { ViewProps } from '../../results/operation'

/** A spec, with the ways to its parts. */
export default function SpecResult ({ result: spec }: ViewProps<Schemas['SpecSession']>) {
  const { session_id: id, current_version: version, blocking_questions: questions } = spec
  return (
    <section class='result-card' aria-label={`Spec ${spec.title}`}>
      <div class='row tight'>
        <FileCheck2 size={16} aria-hidden='true' /><strong class='grow'>{spec.title}</strong>
        <StateBadge state={spec.state} />
      </div>
      <p class='small muted'>
        {version === null ? 'No version yet' : `Version ${version}`}, changed <Time at={spec.updated_at} />
        {questions > 0 && ` · ${questions} ${questions === 1 ? 'question blocks' : 'questions block'} it`}
      </p>
      <div class='row tight'>
        <Link class='button small' href={`/specs/${id}`}>Open the spec</Link>
        {questions > 0 && <Link class='button small' href={`/specs/${id}/questions`}>Answer the questions</Link>}
        <Link class='button small' href={`/specs/${id}/inputs`}>Inputs</Link>
      </div>
    </section>
  )
}
