import { api, body, type Schemas } from '../../api/client'
import { useResource } from '../../api/resource'
import { Dialog } from '../../parts/dialog'
import { Loaded } from '../../parts/states'
import { Time } from '../../parts/time'
import { Outcome, type Names } from './outcome'

type Entry = Schemas['AuditEntry']

const Step = ({ entry, names }: { entry: Entry, names: Names }) => <section
  class='card stack tight' aria-label={`Entry ${entry.seq}`}
>
  <div class='row'>
    <strong class='grow'>{entry.seq}. {entry.kind} <code>{entry.operation}</code></strong>
    <Outcome entry={entry} />
  </div>
  <p class='small muted'><Time at={entry.at} />{' · '}
    {names[entry.user_id ?? ''] ?? entry.user_id ?? 'Steward'} by {entry.via}
    {entry.remote_address && <> from {entry.remote_address}</>} · <span class='mono'>{entry.target}</span>
  </p>
  {entry.body && <details open={entry.kind !== 'ended'}>
    <summary>What it says</summary>
    <pre class='small'>{JSON.stringify(entry.body, null, 2)}</pre>
  </details>}
  <p class='small muted mono'>sha256 {entry.hash}</p>
</section>

/** All that is recorded of one write, in the order in which it happened. */
export const WriteDialog = ({ id, names, onClose }: { id: string, names: Names, onClose: () => void }) => {
  const account = useResource([id], (signal) =>
    body(api.GET('/account/audit/writes/{write_id}', { params: { path: { write_id: id } }, signal })))
  return (
    <Dialog title='The account of a write' onClose={onClose}>
      <Loaded of={account}>{({ entries, began_by: began }) => <div class='stack'>
        {began && <Step entry={began} names={names} />}
        {entries.map((entry) => <Step key={entry.seq} entry={entry} names={names} />)}
      </div>}
      </Loaded>
      <div class='row end'><button type='button' onClick={onClose}>Close</button></div>
    </Dialog>
  )
}
