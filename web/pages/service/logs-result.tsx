import type { Schemas } from '../../api/client'
import { LogLines } from '../../parts/log-lines'
import { Notice } from '../../parts/notice'
import type { ViewProps } from '../../results/operation'

/** Lines of a log, oldest first, with what is missing among them. */
export default function LogsResult ({ result }: ViewProps<Schemas['LogPage']>) {
  const lines = result.items.map(({ id, timestamp: at, container: tag, message: text }) => ({ key: id, at, tag, text }))
  return (
    <div class='stack tight'>
      {result.notes.map((note) => <Notice key={note} tone='warn'>{note}</Notice>)}
      <LogLines lines={lines} label='Lines of the log' empty='Nothing was logged in this time.' />
      {!result.complete && <p class='small muted'>There are older lines in this time.</p>}
    </div>
  )
}
