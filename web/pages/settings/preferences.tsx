import { useSignal } from '@preact/signals'
import { BookMarked } from 'lucide-preact'
import { api, body, type Schemas } from '../../api/client'
import { useAction } from '../../api/action'
import { useResource } from '../../api/resource'
import { StateBadge } from '../../parts/badge'
import { ProblemNotice } from '../../parts/notice'
import { Empty, Loaded } from '../../parts/states'

type Preference = Schemas['Preference']

const update = (change: Schemas['UpdatePreferences']) =>
  body(api.POST('/api/v1/agent/memory/preferences', { body: change }))

interface RowProps { preference: Preference, onChange: () => void }

const Row = ({ preference, onChange }: RowProps) => {
  const remove = useAction(async () => {
    await update({ remove: [preference.key] })
    onChange()
  })
  const text = typeof preference.value === 'string' ? preference.value : JSON.stringify(preference.value)
  return (
    <tr>
      <td class='mono'>{preference.key}</td>
      <td>{preference.kind}</td>
      <td>{text}{remove.problem && <ProblemNotice problem={remove.problem} />}</td>
      <td class='small muted'>{preference.applies_to.join(', ') || 'everything'}</td>
      <td><StateBadge state={preference.status} /></td>
      <td><button
        type='button' class='small danger' disabled={remove.busy} aria-label={`Remove ${preference.key}`}
        onClick={() => { void remove.run() }}
      >Remove
      </button>
      </td>
    </tr>
  )
}

const Add = ({ onChange }: { onChange: () => void }) => {
  const key = useSignal('')
  const value = useSignal('')
  const kind = useSignal<'rule' | 'style'>('rule')
  const { run, busy, problem } = useAction(async () => {
    await update({ set: [{ key: key.value, kind: kind.value, value: value.value }] })
    key.value = value.value = ''
    onChange()
  })
  return (
    <form
      class='card stack' onSubmit={(event) => {
        event.preventDefault()
        void run()
      }}
    >
      <h2>New preference</h2>
      <div class='fields'>
        <label class='field'><span>Key</span><input
          required pattern='[a-z0-9][a-z0-9._\-]*' placeholder='deploy.window'
          value={key.value} onInput={(event) => { key.value = event.currentTarget.value }}
        />
        </label>
        <label class='field'><span>Kind</span>
          <select
            value={kind.value}
            onChange={({ currentTarget: { value } }) => { kind.value = value === 'style' ? 'style' : 'rule' }}
          >
            <option value='rule'>Rule</option><option value='style'>Style</option>
          </select>
        </label>
        <label class='field'><span>What the assistant should know</span>
          <input
            required maxLength={2000} placeholder='Never deploy on Fridays' value={value.value}
            onInput={(event) => { value.value = event.currentTarget.value }}
          />
        </label>
        <button class='primary' disabled={busy}>Add</button>
      </div>
      {problem && <ProblemNotice problem={problem} />}
    </form>
  )
}

/** What the assistant remembers; it may suggest, only people set. */
export const Preferences = () => {
  const list = useResource([], (signal) => body(api.GET('/api/v1/agent/memory/preferences', { signal })))
  return (
    <div class='stack'>
      <Add onChange={list.reload} />
      <section class='card flush' aria-label='Preferences'>
        <Loaded of={list}>{({ items }) => items.length === 0
          ? <Empty icon={BookMarked} title='No preferences'>
            <p>A rule or a style that the assistant shall keep to.</p>
          </Empty>
          : <div class='table' tabIndex={0}>
            <table>
              <thead><tr><th scope='col'>Key</th><th scope='col'>Kind</th><th scope='col'>Value</th>
                <th scope='col'>For</th><th scope='col'>Status</th>
                <th scope='col'><span class='unseen'>Remove</span></th>
              </tr>
              </thead>
              <tbody>{items.map((preference) =>
                <Row key={preference.key} preference={preference} onChange={list.reload} />)}
              </tbody>
            </table>
          </div>}
        </Loaded>
      </section>
    </div>
  )
}
