import { useSignal, type Signal } from '@preact/signals'
import { api, body, type Schemas } from '../../api/client'
import { FormDialog } from '../../parts/form-dialog'
import { TextField } from '../../parts/form'

type Workspace = Schemas['AdministeredWorkspace']
type Settings = Schemas['UpdateWorkspaceSettings']

const limits: Record<keyof Schemas['WorkspaceLimits'], string> = {
  budget_workspace_day_usd: 'USD of all people and day',
  budget_user_day_usd: 'USD of one person and day',
  budget_run_usd: 'USD of one run before it asks',
  budget_session_usd: 'USD of one conversation before it asks',
  generation_usd: 'USD of one generation',
  model_calls_per_run: 'Model calls of one run',
  tool_calls_per_run: 'Tool calls of one run',
  live_runs_per_user: 'Runs of one person at once',
  waiting_runs_per_user: 'Conversations of one person that wait for approvals',
  requests_per_minute: 'Requests of one person or token and minute',
  streams_per_user: 'Open streams of one person',
  confirmation_ttl_s: 'Seconds that an approval waits'
}
const retention: Record<keyof Schemas['WorkspaceRetention'], string> = {
  chats_days: 'Days until idle chats are deleted',
  deleted_days: 'Days to restore what was deleted',
  receipts_days: 'Days to keep received webhooks',
  audit_days: 'Days to keep the record'
}

type Texts = Record<string, string>

const textsOf = (numbers: Record<string, number | undefined> | null): Texts =>
  Object.fromEntries(Object.entries(numbers ?? {}).map(([name, value]) => [name, String(value)]))

/** @returns the numbers of the fields that are not empty; null when all are */
const numbersOf = (texts: Texts): Record<string, number> | null => {
  const filled = Object.entries(texts).filter(([, text]) => text.trim() !== '')
  return filled.length === 0 ? null : Object.fromEntries(filled.map(([name, text]) => [name, Number(text)]))
}

export const hostsOf = (text: string): string[] => text.split(/[\s,]+/).filter(Boolean)

interface NumbersProps { legend: string, labels: Record<string, string>, of: Signal<Texts>, step: string }

/** Numbers that may be left out: then they are as in the installation. */
const Numbers = ({ legend, labels, of, step }: NumbersProps) => <fieldset class='stack tight'>
  <legend>{legend}</legend>
  {Object.entries(labels).map(([name, label]) => <TextField
    key={name} label={label} type='number' min={0} step={step} placeholder='as the installation'
    value={{
      get value () { return of.value[name] ?? '' },
      set value (text) { of.value = { ...of.value, [name]: text } }
    }}
  />)}
</fieldset>

export const EditWorkspace = ({ workspace, onClose }: { workspace: Workspace, onClose: () => void }) => {
  const { id, revision, settings } = workspace
  const name = useSignal(workspace.name)
  const hosts = useSignal(workspace.hosts.join(', '))
  const limited = useSignal(textsOf(settings.limits))
  const kept = useSignal(textsOf(settings.retention))
  const rules = useSignal(settings.sign_in ?? '')
  const save = async () => {
    const changed: Settings = {
      limits: numbersOf(limited.value),
      retention: numbersOf(kept.value),
      // An emptied field is not a rule that lets no person in: that is made through the API.
      sign_in: rules.value.trim() === '' && settings.sign_in !== '' ? null : rules.value
    }
    await body(api.PATCH('/account/workspaces/{workspace_id}', {
      params: { path: { workspace_id: id }, header: { 'If-Match': `"r${revision}"` } },
      body: { name: name.value, hosts: hostsOf(hosts.value), settings: changed }
    }))
  }
  return (
    <FormDialog title={`Edit ${workspace.name}`} verb='Save' act={save} onClose={onClose}>
      <TextField label='Name' value={name} required maxLength={100} />
      <TextField label='Host names' value={hosts} placeholder='team.example, other.example' />
      <TextField label='Who may sign in' value={rules} placeholder='organization#number=role' maxLength={4096} />
      <Numbers legend='Limits' labels={limits} of={limited} step='any' />
      <Numbers legend='Retention' labels={retention} of={kept} step='1' />
    </FormDialog>
  )
}
