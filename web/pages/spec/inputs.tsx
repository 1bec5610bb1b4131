import { useSignal } from '@preact/signals'
import { FileText, Plus } from '../../parts/icons'
import { Link } from 'wouter-preact'
import { api, body, type Schemas } from '../../api/client'
import { usePages } from '../../api/pages'
import { Badge, formatState } from '../../parts/badge'
import { List } from '../../parts/list'
import { formatSize } from '../../parts/money'
import { Empty } from '../../parts/states'
import { Table } from '../../parts/table'
import { Time } from '../../parts/time'
import { AddInput } from './add-input'
import { leftOutOf, nameOf } from './citations'
import { Estimate } from './estimate'
import type { Spec } from './index'
import { say } from '../../texts/say'

const NoInputs = () => <Empty icon={FileText} title={say('spec.inputs.none')}>
  <p>
    {say('spec.inputs.words')}
  </p>
</Empty>

/** Where a generation could start. */
const canStart = ({ inputs, state, active_generation_id: active }: Spec['session']): boolean =>
  inputs > 0 && active === null && state !== 'approved' && state !== 'archived'

/** The inputs of the spec. People add inputs, and never change them. */
export const Inputs = ({ session, onChange }: Spec) => {
  const adding = useSignal(false)
  const id = session.session_id
  const inputs = usePages<Schemas['SpecInput']>([id, session.inputs], (cursor, signal) => body(api.GET(
    '/pse/sessions/{session_id}/inputs',
    { params: { path: { session_id: id }, query: { limit: 50, cursor } }, signal })))
  return (
    <section class='card flush' aria-label={say('spec.inputs')}>
      <header><h2>{say('spec.inputs')}</h2>
        <button type='button' class='small' onClick={() => { adding.value = true }}>
          <Plus size={14} aria-hidden='true' />{say('spec.input.add')}
        </button>
      </header>
      <List of={inputs} empty={<NoInputs />}>
        {(items) => <Table
          columns={[
            say('spec.input'), say('standard.kind'), say('spec.trust'), { numeric: say('spec.size') }, say('spec.added')
          ]}
        >
          {items.map((input) => <tr key={input.input_id}>
            <td><Link href={`/specs/${id}/inputs/${input.input_id}`}>{nameOf(input)}</Link>
              {leftOutOf(input) && <div class='small muted'>
                {say('spec.unread', { what: leftOutOf(input) ?? '' })}
              </div>}
            </td>
            <td>{formatState(input.kind)}</td><td><Badge>{formatState(input.trust)}</Badge></td>
            <td class='numeric'>{formatSize(input.content.bytes)}</td>
            <td class='nowrap'><Time at={input.created_at} /></td>
          </tr>)}
        </Table>}
      </List>
      {canStart(session) && <div class='after-table'><Estimate session={session} /></div>}
      {adding.value && <AddInput session={session} onChange={onChange} onClose={() => { adding.value = false }} />}
    </section>
  )
}
