import type { Schemas } from '../../api/client'
import { PullCard } from './pull-card'
import type { ViewProps } from '../../results/operation'
import { say } from '../../texts/say'

/** The pull request that a write has opened, or has found as it was. */
export default function OpenedResult ({ result: { pull, outcome, commit } }: ViewProps<Schemas['OpenedPull']>) {
  return <PullCard pull={pull} note={say('pull.outcome', { outcome, commit: commit.slice(0, 7) })} />
}
