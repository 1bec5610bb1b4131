import { useSignal, type Signal } from '@preact/signals'
import { api, body, type Schemas } from '../../api/client'
import { FormDialog } from '../../parts/form-dialog'
import { TextField } from '../../parts/form'
import { say, type Key } from '../../texts/say'

type Workspace = Schemas['AdministeredWorkspace']
type Settings = Schemas['UpdateWorkspaceSettings']

const limits: Record<keyof Schemas['WorkspaceLimits'], Key> = {
  budget_workspace_day_usd: 'limit.workspaceDay',
  budget_user_day_usd: 'limit.userDay',
  budget_run_usd: 'limit.run',
  budget_session_usd: 'limit.session',
  generation_usd: 'limit.generation',
  model_calls_per_run: 'limit.modelCalls',
  tool_calls_per_run: 'limit.toolCalls',
  live_runs_per_user: 'limit.liveRuns',
  waiting_runs_per_user: 'limit.waitingRuns',
  requests_per_minute: 'limit.requests',
  streams_per_user: 'limit.streams',
  confirmation_ttl_s: 'limit.confirmation'
}
const retention: Record<keyof Schemas['WorkspaceRetention'], Key> = {
  chats_days: 'retention.chats',
  deleted_days: 'retention.deleted',
  receipts_days: 'retention.receipts',
  audit_days: 'retention.audit'
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

interface NumbersProps { legend: string, labels: Record<string, Key>, of: Signal<Texts>, step: string }

/** Numbers that may be left out: then they are as in the installation. */
const Numbers = ({ legend, labels, of, step }: NumbersProps) => <fieldset class='stack tight'>
  <legend>{legend}</legend>
  {Object.entries(labels).map(([name, label]) => <TextField
    key={name} label={say(label)} type='number' min={0} step={step} placeholder={say('workspace.asInstalled')}
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
    <FormDialog
      title={say('common.editOne', { name: workspace.name })} verb={say('common.save')} act={save} onClose={onClose}
    >
      <TextField label={say('common.name')} value={name} required maxLength={100} />
      <TextField label={say('workspace.hosts')} value={hosts} placeholder='team.example, other.example' />
      <TextField
        label={say('workspace.signIn')} value={rules} placeholder='organization#number=role' maxLength={4096}
      />
      <Numbers legend={say('workspace.limits')} labels={limits} of={limited} step='any' />
      <Numbers legend={say('workspace.retention')} labels={retention} of={kept} step='1' />
    </FormDialog>
  )
}
