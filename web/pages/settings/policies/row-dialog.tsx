import { useSignal, type Signal } from '@preact/signals'
import { api, body } from '../../../api/client'
import { useResource } from '../../../api/resource'
import { field } from '../../../parts/cell'
import { EnvironmentChoice } from '../../../parts/environment-choice'
import { CheckField, Choice, NumberField, TextField } from '../../../parts/form'
import { FormDialog } from '../../../parts/form-dialog'
import { nameArea } from './describe-row'
import { outcomes } from './example-dialog'
import { isComplete, toFields, toRow, type Fields } from './row-fields'
import type { Row } from './rows'
import { say, sayEach } from '../../../texts/say'

/** What policies may name: the tools that write, and the areas that they are in. */
interface Actions { tools: string[], areas: string[] }

const none: Actions = { tools: [], areas: [] }
const groupNames = new Set(['write', 'additive'])

/** @returns the actions of the schema that policies are checked against */
const readActions = (schema: string): Actions => {
  const tools: string[] = []
  const areas = new Set<string>()
  for (const [, names = '', groups = ''] of schema.matchAll(/action ([^;{]+?) in \[([^\]]*)\]\s*appliesTo/g)) {
    tools.push(...names.split(',').map((name) => name.trim().replaceAll('"', '')))
    for (const [, group = ''] of groups.matchAll(/"(\w+)"/g)) if (!groupNames.has(group)) areas.add(group)
  }
  return { tools: tools.sort(), areas: [...areas].sort() }
}

const useActions = (): Actions => useResource([], async (signal) =>
  readActions((await body(api.GET('/account/policies/schema', { signal }))).schema)).data ?? none

const useGroups = (): string[] => useResource([], async (signal) =>
  (await body(api.GET('/account/groups', { params: { query: { limit: 100 } }, signal }))).items.map(({ name }) => name))
  .data ?? []

const Suggestions = ({ id, of }: { id: string, of: readonly string[] }) => <datalist id={id}>
  {of.map((name) => <option key={name} value={name} />)}
</datalist>

const applies = { all: 'row.applies.all', area: 'row.applies.area', tools: 'row.applies.tools' } as const
const risks = { '': 'row.risk.any', medium: 'row.risk.medium', high: 'row.risk.high' } as const
const sizes = {
  '': 'row.size.any', cost: 'row.size.cost', more_than: 'row.size.argumentMore', at_most: 'row.size.argumentMost'
} as const

const WhenFields = ({ fields }: { fields: Signal<Fields> }) => {
  const of = <K extends keyof Fields>(name: K) => field(fields, name)
  const actions = useActions()
  const { value: { applies: kind, area, size } } = fields
  const areas = Object.fromEntries([...new Set(['', ...actions.areas, area])]
    .map((name) => [name, name === '' ? say('row.choose') : nameArea(name)]))
  return (
    <fieldset class='stack tight'>
      <legend>{say('row.when')}</legend>
      <div class='fields'>
        <Choice label={say('row.applies')} value={of('applies')} options={sayEach(applies)} />
        {kind === 'area' && <Choice label={say('row.area')} value={of('area')} options={areas} />}
        {kind === 'tools' && <TextField
          label={say('row.tools')} value={of('tools')} required list='policy-tools' placeholder='scaleService, deployService'
        />}
        <Suggestions id='policy-tools' of={actions.tools} />
      </div>
      <div class='fields'>
        <EnvironmentChoice label={say('row.environment')} value={of('environment')} none={say('row.environment.any')} />
        <Choice label={say('row.risk')} value={of('risk')} options={sayEach(risks)} />
      </div>
      <div class='fields'>
        <Choice label={say('row.size')} value={of('size')} options={sayEach(sizes)} />
        {size === 'cost' && <NumberField label={say('row.size.usd')} value={of('cost')} min={0} step='any' />}
        {(size === 'more_than' || size === 'at_most') && <>
          <TextField label={say('row.size.argument')} value={of('argument')} required placeholder='desired_count' />
          <NumberField label={say('row.size.value')} value={of('value')} min={0} step={1} />
        </>}
      </div>
    </fieldset>
  )
}

const AskFields = ({ fields }: { fields: Signal<Fields> }) => {
  const of = <K extends keyof Fields>(name: K) => field(fields, name)
  return (
    <>
      <div class='fields'>
        <NumberField label={say('row.people')} value={of('approvals')} min={1} max={10} step={1} />
        <TextField
          label={say('row.groups')} value={of('groups')} list='policy-groups' placeholder={say('policy.groups.hint')}
        />
        <Suggestions id='policy-groups' of={useGroups()} />
      </div>
      <CheckField label={say('row.notRequester.check')} value={of('not_requester')} />
      <CheckField label={say('row.signed.check')} value={of('signed')} />
      <div class='fields'>
        <TextField label={say('row.escalateTo')} value={of('escalate_to')} list='policy-groups' />
        <TextField
          label={say('row.escalateAfter')} value={of('escalate_after')} placeholder='30m' pattern='[1-9][0-9]*[mhd]'
        />
      </div>
    </>
  )
}

const ThenFields = ({ fields }: { fields: Signal<Fields> }) => {
  const of = <K extends keyof Fields>(name: K) => field(fields, name)
  const { outcome } = fields.value
  return (
    <fieldset class='stack tight'>
      <legend>{say('row.then')}</legend>
      <Choice label={say('row.outcome')} value={of('outcome')} options={sayEach(outcomes)} />
      {outcome === 'ask' && <AskFields fields={fields} />}
      {outcome === 'run' && <CheckField label={say('row.foreign.check')} value={of('foreign_text')} />}
      {outcome === 'forbid' && <TextField label={say('row.reason')} value={of('reason')} maxLength={500} />}
    </fieldset>
  )
}

interface Props { row: Row, title: string, onSave: (row: Row) => void, onClose: () => void }

/** When a policy applies, and what follows. */
export const RowDialog = ({ row, title, onSave, onClose }: Props) => {
  const fields = useSignal(toFields(row))
  const save = () => {
    onSave(toRow(fields.value))
    return Promise.resolve()
  }
  return (
    <FormDialog title={title} verb={say('row.keep')} act={save} ready={isComplete(fields.value)} onClose={onClose}>
      <TextField
        label={say('common.name')} value={field(fields, 'id')} required maxLength={64} placeholder='production'
      />
      <WhenFields fields={fields} />
      <ThenFields fields={fields} />
    </FormDialog>
  )
}
