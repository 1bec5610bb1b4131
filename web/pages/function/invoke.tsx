import { useSignal, type Signal } from '@preact/signals'
import type { Schemas } from '../../api/client'
import { ProposalDialog } from '../../approvals/proposal'
import { Choice } from '../../parts/form'
import { Play } from '../../parts/icons'
import { say, sayEach } from '../../texts/say'

const modes = { sync: 'function.mode.sync', async: 'function.mode.async', dry_run: 'function.mode.dryRun' } as const

/** @returns whether the text is JSON; the empty one is not */
const isJson = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

const Payload = ({ text }: { text: Signal<string> }) => <label class='field'><span>{say('function.payload')}</span>
  <textarea
    class='mono' rows={4} spellcheck={false} value={text.value} aria-invalid={!isJson(text.value)}
    onInput={(event) => { text.value = event.currentTarget.value }}
  />
</label>

interface Props { item: Schemas['ServerlessFunction'], payload: Signal<string>, onClose: () => void }

/** Takes a payload, and asks for approval of exactly this call; a check of the permission needs none. */
const InvokeDialog = ({ item, payload, onClose }: Props) => {
  const mode = useSignal<keyof typeof modes>('sync')
  const args = () => ({
    name: item.id,
    // The dialog is ready only when the text is JSON.
    payload: JSON.parse(payload.value) as unknown,
    mode: mode.value,
    log_tail: mode.value === 'sync'
  })
  return (
    <ProposalDialog
      title={say('function.invoke.of', { name: item.name })} name='invokeFunction' args={args}
      ready={isJson(payload.value)} onClose={onClose}
      shows='result'
    >
      <Payload text={payload} />
      <Choice label={say('function.how')} value={mode} options={sayEach(modes)} />
    </ProposalDialog>
  )
}

/** Runs the function with a payload, which stays typed while the page is open. */
export const Invoke = ({ item }: { item: Schemas['ServerlessFunction'] }) => {
  const open = useSignal(false)
  const payload = useSignal('{}')
  return (
    <>
      <button type='button' class='primary' onClick={() => { open.value = true }}>
        <Play size={16} aria-hidden='true' />{say('function.invoke.of', { name: item.name })}
      </button>
      {open.value && <InvokeDialog item={item} payload={payload} onClose={() => { open.value = false }} />}
    </>
  )
}
