import { useSignal } from '@preact/signals'
import { BookMarked } from '../../parts/icons'
import { api, body, type Schemas } from '../../api/client'
import { useAction } from '../../api/action'
import { useResource } from '../../api/resource'
import { ActionButton } from '../../parts/action-button'
import { StateBadge } from '../../parts/badge'
import { Choice, TextField } from '../../parts/form'
import { FormCard } from '../../parts/form-card'
import { Empty, Loaded } from '../../parts/states'
import { Table } from '../../parts/table'

type Preference = Schemas['Preference']

const update = (change: Schemas['UpdatePreferences']) =>
  body(api.POST('/api/v1/agent/memory/preferences', { body: change }))

interface RowProps { preference: Preference, onChange: () => void }

const Row = ({ preference, onChange }: RowProps) => {
  const remove = async () => {
    await update({ remove: [preference.key] })
    onChange()
  }
  const accept = async () => {
    const { key, kind, value, applies_to, version } = preference
    // The API accepts only these two.
    await update({ set: [{ key, kind, value: value as string | Record<string, unknown>, applies_to, version }] })
    onChange()
  }
  const text = typeof preference.value === 'string' ? preference.value : JSON.stringify(preference.value)
  return (
    <tr>
      <td class='mono'>{preference.key}</td>
      <td>{preference.kind}</td>
      <td>{text}</td>
      <td class='small muted'>{preference.applies_to.join(', ') || 'everything'}</td>
      <td><StateBadge state={preference.status} /></td>
      <td>
        {preference.status === 'suggested' &&
          <ActionButton variant='small' label={`Accept ${preference.key}`} act={accept}>Accept</ActionButton>}
        <ActionButton variant='small danger' label={`Remove ${preference.key}`} act={remove}>
          Remove
        </ActionButton>
      </td>
    </tr>
  )
}

const kinds = { rule: 'Rule', style: 'Style' } as const

const Add = ({ onChange }: { onChange: () => void }) => {
  const key = useSignal('')
  const value = useSignal('')
  const kind = useSignal<keyof typeof kinds>('rule')
  const add = useAction(async () => {
    await update({ set: [{ key: key.value, kind: kind.value, value: value.value }] })
    key.value = value.value = ''
    onChange()
  })
  return (
    <FormCard title='New preference' verb='Add' action={add}>
      <TextField label='Key' value={key} required pattern='[a-z0-9][a-z0-9._\-]*' placeholder='deploy.window' />
      <Choice label='Kind' value={kind} options={kinds} />
      <TextField
        label='What the assistant should know' value={value} required maxLength={2000}
        placeholder='Never deploy on Fridays'
      />
    </FormCard>
  )
}

const None = () => <Empty icon={BookMarked} title='No preferences'>
  <p>A preference is a rule or a style that the assistant follows.</p>
</Empty>

/** What the assistant remembers. It may suggest preferences; only people set them. */
export const Preferences = () => {
  const list = useResource([], (signal) => body(api.GET('/api/v1/agent/memory/preferences', { signal })))
  return (
    <div class='stack'>
      <Add onChange={list.reload} />
      <section class='card flush' aria-label='Preferences'>
        <Loaded of={list}>{({ items }) => items.length === 0
          ? <None />
          : <Table columns={['Key', 'Kind', 'Value', 'For', 'Status', { unseen: 'Remove' }]}>
            {items.map((preference) =>
              <Row key={preference.key} preference={preference} onChange={list.reload} />)}
          </Table>}
        </Loaded>
      </section>
    </div>
  )
}
