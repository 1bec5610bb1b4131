import { Link } from 'wouter-preact'
import { api, body, type Schemas } from '../../api/client'
import { useResource } from '../../api/resource'
import { StateBadge } from '../../parts/badge'
import { Pipeline } from '../../parts/pipeline'
import { Time } from '../../parts/time'
import type { ViewProps } from '../../results/operation'
import { stagesOf } from './stages'
import { say } from '../../texts/say'
import { translate } from '../../texts/translate'

type Build = Schemas['Build']

/** A build as it goes on. */
export default function BuildResult ({ result: first }: ViewProps<Build>) {
  const path = { app_id: first.app_id, build_id: first.id }
  const { data: now = first } = useResource([first.id], (signal) =>
    body(api.GET('/deployments/apps/{app_id}/builds/{build_id}', { params: { path }, signal })),
  { every: 3_000, first, until: ({ finished_at: at }) => at !== null })
  return (
    <section class='result-card' aria-label={say('build.plain', { number: String(now.number) })}>
      <div class='row spread'>
        <span class='row tight'><StateBadge state={now.status} />
          <Link href={`/apps/${now.app_id}/builds/${now.id}`}>{say('build.of', { number: String(now.number) })}</Link>
          <span class='muted'>{now.commit?.slice(0, 7) ?? now.ref} {now.commit_message?.split('\n')[0]}</span>
        </span>
        <span class='small muted'><Time at={now.finished_at ?? now.created_at} /></span>
      </div>
      <Pipeline label={say('build.steps')} stages={stagesOf(now)} />
      {now.status_reason && <p class='small'>{translate('logs', now.status_reason)}</p>}
    </section>
  )
}
