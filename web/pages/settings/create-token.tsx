import { useSignal } from '@preact/signals'
import { api, body, type Schemas } from '../../api/client'
import { useAction } from '../../api/action'
import { Notice, ProblemNotice } from '../../parts/notice'

type Scope = Schemas['Scope']

const areas = ['agent', 'cloud', 'infrastructure', 'deployments', 'codehost', 'pse', 'content', 'account'] as const
const reads = areas.map((area): Scope => `${area}:read`)
const writes = areas.map((area): Scope => `${area}:write`)
const rights = { read: reads, write: [...reads, ...writes], all: [...reads, ...writes, 'approvals:write' as const] }
type Right = keyof typeof rights
const labels = { read: 'Read', write: 'Read and write', all: 'Read, write and approve' }
const isRight = (text: string): text is Right => text in rights

export const CreateToken = ({ onChange }: { onChange: () => void }) => {
  const name = useSignal('')
  const right = useSignal<Right>('read')
  const days = useSignal(30)
  const secret = useSignal<string | undefined>(undefined)
  const { run, busy, problem } = useAction(async () => {
    const made = await body(api.POST('/account/tokens', {
      body: { name: name.value, scopes: rights[right.value], expires_in_days: days.value }
    }))
    secret.value = made.secret
    name.value = ''
    onChange()
  })
  return (
    <form
      class='card stack' onSubmit={(event) => {
        event.preventDefault()
        void run()
      }}
    >
      <h2>New token</h2>
      <div class='fields'>
        <label class='field'><span>Name</span><input
          required maxLength={100} value={name.value}
          onInput={(event) => { name.value = event.currentTarget.value }}
        />
        </label>
        <label class='field'><span>May</span>
          <select
            value={right.value}
            onChange={({ currentTarget: { value } }) => { if (isRight(value)) right.value = value }}
          >
            {Object.entries(labels).map(([value, text]) => <option key={value} value={value}>{text}</option>)}
          </select>
        </label>
        <label class='field'><span>Days</span><input
          type='number' min={1} max={365} required value={days.value}
          onInput={(event) => { days.value = event.currentTarget.valueAsNumber || 30 }}
        />
        </label>
        <button class='primary' disabled={busy}>Create</button>
      </div>
      {problem && <ProblemNotice problem={problem} />}
      {secret.value && <Notice tone='good'>Copy it now: it is not shown again.
        <pre class='block' tabIndex={0}>{secret.value}</pre>
      </Notice>}
    </form>
  )
}
