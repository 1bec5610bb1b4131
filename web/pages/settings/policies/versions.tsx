import { useSignal } from '@preact/signals'
import { api, body, type Schemas } from '../../../api/client'
import { useNames } from '../../../api/people'
import { usePages } from '../../../api/pages'
import { useResource } from '../../../api/resource'
import { Dialog } from '../../../parts/dialog'
import { Choice } from '../../../parts/form'
import { History } from '../../../parts/icons'
import { List } from '../../../parts/list'
import { Empty, Loaded } from '../../../parts/states'
import { Table } from '../../../parts/table'
import { Time } from '../../../parts/time'
import { UnifiedDiff } from '../../../parts/unified-diff'
import { Numbers } from './replay'
import { say } from '../../../texts/say'

type Version = Schemas['PolicyVersion']

interface DifferenceProps { version: number, onClose: () => void }

const Difference = ({ version, onClose }: DifferenceProps) => {
  const against = useSignal(String(version - 1))
  const found = useResource([against.value], (signal) => body(api.GET('/account/policies/versions/{version}', {
    params: { path: { version }, query: { against: Number(against.value) } }, signal
  })))
  const others = Object.fromEntries(Array.from({ length: version }, (_, index) =>
    [String(index), index === 0 ? say('version.none') : say('version.title', { version: index })]))
  return (
    <Dialog title={say('version.title', { version })} onClose={onClose}>
      <Choice label={say('version.against')} value={against} options={others} />
      <Loaded of={found}>{({ diff, version: { replay } }) => <div class='stack'>
        {diff === ''
          ? <p
              class='muted'
          >{say('version.same')}
          </p>
          : <UnifiedDiff text={diff} label={say('version.difference')} />}
        <h3>{say('version.enabledThen')}</h3>
        <Numbers of={replay} />
      </div>}
      </Loaded>
      <div class='actions'><button type='button' onClick={onClose}>{say('common.close')}</button></div>
    </Dialog>
  )
}

/** What was enabled, newest first. */
export const Versions = ({ current }: { current: number }) => {
  const open = useSignal<number | undefined>(undefined)
  const people = useNames()
  const versions = usePages<Version>([current], (cursor, signal) =>
    body(api.GET('/account/policies/versions', { params: { query: { limit: 20, cursor } }, signal })))
  return (
    <section class='card flush' aria-label={say('version.list')}>
      <header><h2>{say('version.list')}</h2></header>
      <List
        of={versions}
        empty={<Empty icon={History} title={say('version.noneYet')}><p>{say('version.noneYet.words')}</p></Empty>}
      >{(items) => <Table columns={[
        say('version.column'), say('version.enabled'), { unseen: say('version.difference') }
      ]}
      >
        {items.map(({ version, text, enabled_by: by, enabled_at: at }) => <tr key={version}>
          <td>{version} {version === current && <strong>{say('version.holds')}</strong>}
            {text === '' && <div class='small muted'>{say('version.empty')}</div>}
          </td>
          <td><Time at={at} /><div class='small muted'>{people[by] ?? by}</div></td>
          <td><button
            type='button' class='small' aria-label={say('version.differenceOf', { version })}
            onClick={() => { open.value = version }}
          >{say('version.difference')}
          </button>
          </td>
        </tr>)}
      </Table>}
      </List>
      {open.value !== undefined && <Difference
        key={open.value} version={open.value} onClose={() => { open.value = undefined }}
      />}
    </section>
  )
}
