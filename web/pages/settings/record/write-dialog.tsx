import { api, body, type Schemas } from '../../../api/client'
import { useResource } from '../../../api/resource'
import { formatState } from '../../../parts/badge'
import { Dialog } from '../../../parts/dialog'
import { Loaded } from '../../../parts/states'
import { Time } from '../../../parts/time'
import { Outcome, type Names } from './outcome'
import { say } from '../../../texts/say'

type Entry = Schemas['AuditEntry']

const steps = {
  asked: 'record.step.asked',
  decided: 'record.step.decided',
  sent: 'record.step.sent',
  ended: 'record.step.ended',
  direct: 'record.step.direct'
} as const

const whoDid = ({ user_id: id, via, remote_address: address }: Entry, names: Names): string => {
  const name = names[id ?? ''] ?? id ?? 'Steward'
  const way = formatState(via)
  return address ? say('record.byFrom', { name, via: way, address }) : say('record.by', { name, via: way })
}

const Step = ({ entry, names }: { entry: Entry, names: Names }) => <section
  class='card stack tight' aria-label={say('record.entry', { seq: entry.seq })}
>
  <div class='row'>
    <strong class='grow'>{entry.seq}. {say(steps[entry.kind])} <code>{entry.operation}</code></strong>
    <Outcome of={entry.outcome} />
  </div>
  <p class='small muted'><Time at={entry.at} />{' · '}
    {whoDid(entry, names)} · <span class='mono'>{entry.target}</span>
  </p>
  {entry.body && <details>
    <summary>{say('record.says')}</summary>
    <pre class='small'>{JSON.stringify(entry.body, null, 2)}</pre>
  </details>}
  <p class='small muted mono'>sha256 {entry.hash}</p>
</section>

/** All that is recorded of one write, in the order in which it happened. */
export const WriteDialog = ({ id, names, onClose }: { id: string, names: Names, onClose: () => void }) => {
  const account = useResource([id], (signal) =>
    body(api.GET('/account/audit/writes/{write_id}', { params: { path: { write_id: id } }, signal })))
  return (
    <Dialog title={say('record.accountTitle')} onClose={onClose}>
      <Loaded of={account}>{({ entries, began_by: began }) => <div class='stack'>
        {began && <Step entry={began} names={names} />}
        {entries.map((entry) => <Step key={entry.seq} entry={entry} names={names} />)}
      </div>}
      </Loaded>
      <div class='row end'><button type='button' onClick={onClose}>{say('common.close')}</button></div>
    </Dialog>
  )
}
