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
import { showWriting, writing } from '../../shell/writing'
import { say, sayEach } from '../../texts/say'

type Preference = Schemas['Preference']

const update = (change: Schemas['UpdatePreferences']) =>
  body(api.POST('/api/v1/agent/memory/preferences', { body: change }))

const kindWords = {
  rule: 'preference.kind.rule',
  style: 'preference.kind.style',
  default: 'preference.kind.default',
  forbid: 'preference.kind.forbid'
} as const

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
      <td>{say(kindWords[preference.kind])}</td>
      <td>{text}</td>
      <td class='small muted'>{preference.applies_to.join(', ') || say('preference.everything')}</td>
      <td><StateBadge state={preference.status} /></td>
      <td>
        {preference.status === 'suggested' &&
          <ActionButton
            variant='small' label={say('preference.acceptOne', { name: preference.key })} act={accept}
          >{say('common.accept')}
          </ActionButton>}
        <ActionButton variant='small danger' label={say('common.removeOne', { name: preference.key })} act={remove}>
          {say('common.remove')}
        </ActionButton>
      </td>
    </tr>
  )
}

const kinds = { rule: 'preference.rule', style: 'preference.style' } as const

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
    <FormCard title={say('preference.new')} verb={say('common.add')} action={add}>
      <TextField
        label={say('preference.key')} value={key} required pattern='[a-z0-9][a-z0-9._\-]*'
        placeholder='deploy.window'
      />
      <Choice label={say('common.kind')} value={kind} options={sayEach(kinds)} />
      <div class='whole-row'>
        <TextField
          label={say('preference.words')} value={value} required maxLength={2000}
          placeholder={say('preference.example')}
        />
      </div>
    </FormCard>
  )
}

const None = () => <Empty icon={BookMarked} title={say('preference.none')}>
  <p>{say('preference.none.words')}</p>
</Empty>

/** What this browser shows in the menu. */
const Menu = () => <section class='card stack tight' aria-label={say('preference.menu')}>
  <h2>{say('preference.menu')}</h2>
  <label class='check'>
    <input
      type='checkbox' checked={writing.value} onChange={({ currentTarget }) => showWriting(currentTarget.checked)}
    />{say('preference.writing')}
  </label>
  <p class='small muted'>{say('preference.writing.words')}</p>
</section>

/** What the assistant remembers. It may suggest preferences; only people set them. */
export const Preferences = () => {
  const list = useResource([], (signal) => body(api.GET('/api/v1/agent/memory/preferences', { signal })))
  return (
    <div class='stack'>
      <Add onChange={list.reload} />
      <section class='card flush' aria-label={say('settings.preferences')}>
        <Loaded of={list}>{({ items }) => items.length === 0
          ? <None />
          : <Table columns={[
            say('preference.key'), say('common.kind'), say('preference.value'), say('preference.for'),
            say('common.status'), { unseen: say('common.remove') }
          ]}
          >
            {items.map((preference) =>
              <Row key={preference.key} preference={preference} onChange={list.reload} />)}
          </Table>}
        </Loaded>
      </section>
      <Menu />
    </div>
  )
}
