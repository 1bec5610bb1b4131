import { useSignal } from '@preact/signals'
import { api, body, type Schemas } from '../../api/client'
import { useAction } from '../../api/action'
import { Choice, NumberField, TextField } from '../../parts/form'
import { FormCard, ShownOnce } from '../../parts/form-card'
import { say, sayEach } from '../../texts/say'

type Scope = Schemas['Scope']

const areas = ['agent', 'cloud', 'infrastructure', 'deployments', 'codehost', 'pse', 'content', 'account'] as const
const reads = areas.map((area): Scope => `${area}:read`)
const writes = areas.map((area): Scope => `${area}:write`)
const rights = { read: reads, write: [...reads, ...writes], all: [...reads, ...writes, 'approvals:write' as const] }
type Right = keyof typeof rights
const labels = { read: 'token.read', write: 'token.write', all: 'token.all' } as const

export const CreateToken = ({ onChange }: { onChange: () => void }) => {
  const name = useSignal('')
  const right = useSignal<Right>('read')
  const days = useSignal(30)
  const secret = useSignal<string | undefined>(undefined)
  const create = useAction(async () => {
    const made = await body(api.POST('/account/tokens', {
      body: { name: name.value, scopes: rights[right.value], expires_in_days: days.value }
    }))
    secret.value = made.secret
    name.value = ''
    onChange()
  })
  return (
    <>
      <FormCard title={say('token.new')} verb={say('common.create')} action={create}>
        <TextField label={say('common.name')} value={name} required maxLength={100} />
        <Choice label={say('token.may')} value={right} options={sayEach(labels)} />
        <NumberField label={say('token.days')} value={days} min={1} max={365} />
      </FormCard>
      <ShownOnce text={secret.value}>{say('token.once')}</ShownOnce>
    </>
  )
}
