import { Link } from 'wouter-preact'
import type { Schemas } from '../../api/client'
import { StateBadge } from '../../parts/badge'
import { FileCheck2 } from '../../parts/icons'
import { Time } from '../../parts/time'
import type { ViewProps } from '../../results/operation'
import { say, sayWith } from '../../texts/say'

/** A spec, with the ways to its parts. */
export default function SpecResult ({ result: spec }: ViewProps<Schemas['SpecSession']>) {
  const { session_id: id, current_version: version, blocking_questions: questions } = spec
  return (
    <section class='result-card' aria-label={say('spec.of', { title: spec.title })}>
      <div class='row tight'>
        <FileCheck2 size={16} aria-hidden='true' /><strong class='grow'>{spec.title}</strong>
        <StateBadge state={spec.state} />
      </div>
      <p class='small muted'>
        {version === null
          ? sayWith('spec.result.none', { when: <Time at={spec.updated_at} /> })
          : sayWith('spec.result.version', { version: String(version), when: <Time at={spec.updated_at} /> })}
        {questions > 0 && say('spec.result.blocked', { count: questions })}
      </p>
      <div class='row tight'>
        <Link class='button small' href={`/specs/${id}`}>{say('spec.result.open')}</Link>
        {questions > 0 && <Link class='button small' href={`/specs/${id}/questions`}>{say('spec.result.answer')}</Link>}
        <Link class='button small' href={`/specs/${id}/inputs`}>{say('spec.inputs')}</Link>
      </div>
    </section>
  )
}
