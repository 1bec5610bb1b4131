import { useSignal } from '@preact/signals'
import { api, baseUrl, body, type Schemas } from '../../api/client'
import { usePages } from '../../api/pages'
import { findUsers, useUserNames } from '../../api/people'
import { Choice, TextField } from '../../parts/form'
import { FileText } from '../../parts/icons'
import { List } from '../../parts/list'
import { PersonChoice } from '../../parts/person-choice'
import { Empty } from '../../parts/states'
import { Table } from '../../parts/table'
import { Time } from '../../parts/time'
import { useFilters } from '../../shell/location'
import { Outcome, type Names } from './outcome'
import { WriteDialog } from './write-dialog'

type Entry = Schemas['AuditEntry']

const kinds = {
  '': 'All entries', asked: 'Asked', decided: 'Decided', sent: 'Sent', ended: 'Ended', direct: 'Requests'
} as const
const periods = { any: 'Any time', day: 'Last day', week: 'Last 7 days', month: 'Last 31 days' } as const
const days = { any: 0, day: 1, week: 7, month: 31 } as const
const day = 86_400_000

const Row = ({ entry, names, onOpen }: { entry: Entry, names: Names, onOpen: () => void }) => <tr>
  <td class='nowrap'><Time at={entry.at} /></td>
  <td>{names[entry.user_id ?? ''] ?? entry.user_id ?? 'Steward'}<div class='small muted'>{entry.via}</div></td>
  <td>{kinds[entry.kind]} <code>{entry.operation}</code></td>
  <td class='mono small'>{entry.target ?? '–'}</td>
  <td><Outcome entry={entry} /></td>
  <td>
    <button type='button' class='small' aria-label={`Account of entry ${entry.seq}`} onClick={onOpen}>Open</button>
  </td>
</tr>

const Nothing = () => <Empty icon={FileText} title='Nothing fits'><p>No entry of the record has all of this.</p></Empty>

/** Who did what in the workspace. */
export const RecordPart = () => {
  const [target, text] = [useSignal(''), useSignal('')]
  const person = useSignal<string>('')
  const kind = useSignal<keyof typeof kinds>('')
  const period = useSignal<keyof typeof periods>('any')
  const { write: open } = useFilters(['write'])
  const names: Names = useUserNames()
  const filter = {
    target: target.value.trim() || undefined,
    q: text.value.trim() || undefined,
    user_id: person.value || undefined,
    kind: kind.value || undefined
  }
  const entries = usePages<Entry>([...Object.values(filter), period.value], (cursor, signal) => {
    // Of one day, so that the next page has the filter of the first.
    const today = Math.ceil(Date.now() / day) * day
    const length = days[period.value]
    const since = length === 0 ? undefined : new Date(today - (length + 1) * day).toISOString()
    return body(api.GET('/account/audit', { params: { query: { limit: 30, cursor, since, ...filter } }, signal }))
  })
  return (
    <div class='stack'>
      <p>What was asked, shown, decided, sent and answered. Nobody can change or delete it here;{' '}
        <code>steward verify-audit</code> checks the whole record with the public keys.{' '}
        <a href={`${baseUrl}/account/audit/export`} download>Whole record</a>{' · '}
        <a href={`${baseUrl}/account/audit/export?format=csv`} download>As a table</a>{' · '}
        <a href={`${baseUrl}/.well-known/steward-audit-keys.json`} download='steward-audit-keys.json'>Public keys</a>
      </p>
      <div class='filters'>
        <TextField label='Target' value={target} placeholder='web prod' />
        <TextField label='Words' value={text} placeholder='scale' />
        <PersonChoice label='Person' value={person} none='Everybody' find={findUsers} />
        <Choice label='Entries' value={kind} options={kinds} />
        <Choice label='Time' value={period} options={periods} />
      </div>
      <section class='card flush' aria-label='Record'>
        <List of={entries} empty={<Nothing />}>
          {(items) => <Table columns={['When', 'Who', 'What', 'Target', 'Outcome', { unseen: 'Account' }]}>
            {items.map((entry) => <Row
              key={entry.seq} entry={entry} names={names} onOpen={() => { open.value = entry.write_id }}
            />)}
          </Table>}
        </List>
      </section>
      {open.value !== '' && <WriteDialog id={open.value} names={names} onClose={() => { open.value = '' }} />}
    </div>
  )
}
