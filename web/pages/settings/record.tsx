import { useSignal } from '@preact/signals'
import { formatState } from '../../parts/badge'
import { api, baseUrl, body, type Schemas } from '../../api/client'
import { usePages } from '../../api/pages'
import { findUsers, useUserNames } from '../../api/people'
import { Choice, TextField } from '../../parts/form'
import { FileText } from '../../parts/icons'
import { formatKnownOperation, formatName } from '../../parts/label'
import { List } from '../../parts/list'
import { PersonChoice } from '../../parts/person-choice'
import { Empty } from '../../parts/states'
import { Table } from '../../parts/table'
import { Time } from '../../parts/time'
import { useFilters } from '../../shell/location'
import { Outcome, type Names } from './outcome'
import { WriteDialog } from './write-dialog'
import { say, sayEach, sayWith } from '../../texts/say'

type Entry = Schemas['AuditEntry']

const kinds = {
  '': 'record.all',
  asked: 'record.kind.asked',
  decided: 'record.kind.decided',
  sent: 'record.kind.sent',
  ended: 'record.kind.ended',
  direct: 'record.kind.direct'
} as const
const periods = { any: 'record.any', day: 'record.day', week: 'record.week', month: 'record.month' } as const
const days = { any: 0, day: 1, week: 7, month: 31 } as const
const day = 86_400_000

const Operation = ({ name }: { name: string }) => {
  const words = formatKnownOperation(name)
  return words === undefined ? <code>{name}</code> : <span title={name}>{words}</span>
}

const idForm = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** The end of an id distinguishes it from others; the entry has the whole id. */
const Target = ({ of: target }: { of: string | null }) => {
  if (target === null) return <>–</>
  return idForm.test(target)
    ? <code title={target}>…{target.slice(-8)}</code>
    : <span title={target}>{formatName(target)}</span>
}

const Row = ({ entry, names, onOpen }: { entry: Entry, names: Names, onOpen: () => void }) => <tr>
  <td class='nowrap'><Time at={entry.at} /></td>
  <td>{names[entry.user_id ?? ''] ?? entry.user_id ?? 'Steward'}
    <div class='small muted'>{formatState(entry.via)}</div>
  </td>
  <td>{say(kinds[entry.kind])}: <Operation name={entry.operation} /></td>
  <td class='small'><Target of={entry.target} /></td>
  <td><Outcome entry={entry} /></td>
  <td>
    <button
      type='button' class='small' aria-label={say('record.accountOf', { seq: entry.seq })} onClick={onOpen}
    >{say('common.open')}
    </button>
  </td>
</tr>

const Nothing = () => <Empty icon={FileText} title={say('record.none')}><p>{say('record.none.words')}</p></Empty>

const exported = `${baseUrl}/account/audit/export`
const keysUrl = `${baseUrl}/.well-known/steward-audit-keys.json`

const Words = () => <p>{sayWith('record.words', {
  command: <code>steward verify-audit</code>,
  whole: <a href={exported} download>{say('record.whole')}</a>,
  csv: <a href={`${exported}?format=csv`} download>{say('record.csv')}</a>,
  keys: <a href={keysUrl} download='steward-audit-keys.json'>{say('record.keys')}</a>
})}
</p>

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
      <Words />
      <div class='filters'>
        <TextField label={say('common.target')} value={target} placeholder='web prod' />
        <TextField label={say('record.search')} value={text} placeholder='scale' />
        <PersonChoice label={say('common.person')} value={person} none={say('record.everybody')} find={findUsers} />
        <Choice label={say('record.entries')} value={kind} options={sayEach(kinds)} />
        <Choice label={say('record.time')} value={period} options={sayEach(periods)} />
      </div>
      <section class='card flush' aria-label={say('settings.record')}>
        <List of={entries} empty={<Nothing />}>
          {(items) => <Table columns={[
            say('common.when'), say('common.who'), say('common.what'), say('common.target'), say('record.outcome'),
            { unseen: say('record.account') }
          ]}
          >
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
