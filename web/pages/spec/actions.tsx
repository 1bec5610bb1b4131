import { useSignal } from '@preact/signals'
import { Settings2, Sparkles } from '../../parts/icons'
import { api, body, type Schemas } from '../../api/client'
import { ActionButton } from '../../parts/action-button'
import { ExportDialog } from './export-dialog'
import { PullDialog } from './pull-dialog'
import { SettingsDialog } from './settings-dialog'
import type { Spec } from './index'
import { say, type Key } from '../../texts/say'

type Move = Schemas['MoveSpecSession']['to']

/** The transitions that people make from each state. */
const moves: Record<Schemas['SpecSession']['state'], [verb: Key, to: Move][]> = {
  open: [['spec.archive', 'archived']],
  needs_input: [['spec.archive', 'archived']],
  generating: [],
  review: [['spec.archive', 'archived'], ['spec.approve', 'approved']],
  approved: [['spec.reopen', 'review']],
  archived: [['spec.restore', 'restored']]
}

const Moves = ({ session, onChange }: Spec) => <>
  {moves[session.state].map(([verb, to]) => <ActionButton
    key={to} act={async () => {
      const params = { path: { session_id: session.session_id } }
      await body(api.POST('/pse/sessions/{session_id}/transitions', { params, body: { to } }))
      onChange()
    }}
  >{say(verb)}
  </ActionButton>)}
</>

const closed = new Set<Spec['session']['state']>(['approved', 'archived'])

interface StartProps extends Spec { onStart: (generation: string | null) => void }

const Generate = ({ session, onChange, onStart }: StartProps) => {
  const runs = session.active_generation_id !== null
  const generate = async () => {
    // The page follows the generation's events.
    const params = { path: { session_id: session.session_id }, header: { Prefer: 'wait=0' } }
    const answer = await body(api.POST('/pse/sessions/{session_id}/generate', { params, body: {} }))
    // The request does not ask for a stream.
    if (typeof answer === 'object' && 'generation' in answer) onStart(answer.generation.generation_id)
    onChange()
  }
  return (
    <ActionButton variant='primary' act={generate} disabled={runs || session.inputs === 0}>
      <Sparkles size={16} aria-hidden='true' />{runs ? say('spec.generating') : say('spec.generate')}
    </ActionButton>
  )
}

/** The actions on the whole spec that its state allows. */
export const Actions = ({ onStart, ...spec }: StartProps) => {
  const { session } = spec
  const open = useSignal<'export' | 'pull' | 'settings' | undefined>(undefined)
  const close = () => { open.value = undefined }
  return (
    <>
      <button
        type='button' class='quiet icon' aria-label={say('spec.settings')} onClick={() => { open.value = 'settings' }}
      ><Settings2 size={17} aria-hidden='true' />
      </button>
      {session.current_version !== null && <>
        <button type='button' onClick={() => { open.value = 'export' }}>{say('spec.export')}</button>
        <button type='button' onClick={() => { open.value = 'pull' }}>{say('spec.pull')}</button>
      </>}
      <Moves {...spec} />
      {!closed.has(session.state) && <Generate {...spec} onStart={onStart} />}
      {open.value === 'export' && <ExportDialog session={session} onClose={close} />}
      {open.value === 'pull' && <PullDialog session={session} onClose={close} />}
      {open.value === 'settings' && <SettingsDialog {...spec} onClose={close} />}
    </>
  )
}
