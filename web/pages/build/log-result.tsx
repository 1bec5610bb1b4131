import type { Schemas } from '../../api/client'
import { LogLines } from '../../parts/log-lines'
import type { ViewProps } from '../../results/operation'
import { say } from '../../texts/say'
import { translate } from '../../texts/translate'

/** Lines of a build's log. */
export default function BuildLogResult ({ result }: ViewProps<Schemas['BuildLog']>) {
  const lines = result.items.map(({ seq, at, step, stream, text }) =>
    ({ key: String(seq), at, tag: step, text: translate('logs', text), bad: stream === 'stderr' }))
  return (
    <div class='stack tight'>
      <LogLines lines={lines} label={say('build.log')} empty={say('build.log.none')} />
      {(!result.complete || result.truncated) && <p class='small muted'>{say('build.log.part')}</p>}
    </div>
  )
}
