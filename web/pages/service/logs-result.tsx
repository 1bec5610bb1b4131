import type { Schemas } from '../../api/client'
import { LogLines } from '../../parts/log-lines'
import { Notice } from '../../parts/notice'
import type { ViewProps } from '../../results/operation'
import { say } from '../../texts/say'
import { translate } from '../../texts/translate'

/** Lines of a log, oldest first, with what is missing among them. */
export default function LogsResult ({ result }: ViewProps<Schemas['LogPage']>) {
  const lines = result.items.map(({ id, timestamp: at, container: tag, message: text }) => ({ key: id, at, tag, text }))
  return (
    <div class='stack tight'>
      {result.notes.map((note) => <Notice key={note} tone='warn'>{translate('services', note)}</Notice>)}
      <LogLines lines={lines} label={say('service.logs.lines')} empty={say('service.logs.none')} />
      {!result.complete && <p class='small muted'>{say('service.logs.older')}</p>}
    </div>
  )
}
