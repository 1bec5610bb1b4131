import { useSignal } from '@preact/signals'
import type { Schemas } from '../../../api/client'
import { Badge } from '../../../parts/badge'
import { FlaskConical } from '../../../parts/icons'
import { Empty } from '../../../parts/states'
import { Table } from '../../../parts/table'
import { ExampleDialog, outcomes } from './example-dialog'
import { noExample } from './example-fields'
import { say } from '../../../texts/say'

type Example = Schemas['PolicyExample']
type Result = Schemas['ExampleResult']

const describe = (outcome: Example['expect']['outcome'], approvals: number | undefined): string =>
  approvals === undefined
    ? say(outcomes[outcome])
    : say('policy.toApprove', { outcome: say(outcomes[outcome]), count: approvals })

const Passed = ({ result }: { result: Result | undefined }) => {
  if (!result) return <span class='muted'>{say('policy.notTried')}</span>
  if (result.passed) return <Badge tone='good'>{say('policy.passes')}</Badge>
  const { outcome, requirement, policies } = result.verdict
  const got = describe(outcome, requirement?.approvals)
  return (
    <>
      <Badge tone='bad'>{say('policy.fails')}</Badge>{' '}
      <span class='small'>{policies.length > 0
        ? say('policy.gotBy', { outcome: got, policies: policies.join(', ') })
        : say('policy.got', { outcome: got })}
      </span>
    </>
  )
}

interface RowProps { example: Example, result: Result | undefined, onEdit: () => void, onRemove: () => void }

const Row = ({ example: { name, request, expect }, result, onEdit, onRemove }: RowProps) => <tr>
  <td>{name}<div class='small muted'>{request.tool} {describe(expect.outcome, expect.approvals)}</div>
  </td>
  <td><Passed result={result} /></td>
  <td><div class='row tight fixed'>
    <button
      type='button' class='small' aria-label={say('common.editOne', { name })} onClick={onEdit}
    >{say('common.edit')}
    </button>
    <button
      type='button' class='small danger' aria-label={say('common.removeOne', { name })} onClick={onRemove}
    >{say('common.remove')}
    </button>
  </div>
  </td>
</tr>

interface Props {
  examples: Example[]
  /** Of the saved draft; undefined while other examples, or another text, are typed. */
  results: readonly Result[] | undefined
  onChange: (examples: Example[]) => void
}

/** The tests of a draft: it is not enabled while one of them fails. */
export const Examples = ({ examples, results, onChange }: Props) => {
  const editing = useSignal<number | undefined>(undefined)
  const add = (
<button
  type='button' onClick={() => { editing.value = examples.length }}
>{say('policy.addExample')}
</button>
  )
  const { value: at } = editing
  const save = (index: number, example: Example) =>
    onChange(index < examples.length ? examples.with(index, example) : [...examples, example])
  return (
    <section class='card flush' aria-label={say('policy.examples')}>
      <header><h2>{say('policy.examples')}</h2>{examples.length > 0 && add}</header>
      {examples.length === 0
        ? <Empty icon={FlaskConical} title={say('policy.noExamples')}>
          <p>{say('policy.noExamples.words')}</p>
          {add}
        </Empty>
        : <Table columns={[say('policy.example'), say('policy.now'), { unseen: say('common.change') }]}>
          {examples.map((example, index) => <Row
            key={index} example={example} result={results?.[index]} onEdit={() => { editing.value = index }}
            onRemove={() => onChange(examples.filter((_, other) => other !== index))}
          />)}
        </Table>}
      {at !== undefined && <ExampleDialog
        example={examples[at] ?? noExample} onSave={(example) => save(at, example)}
        onClose={() => { editing.value = undefined }}
      />}
    </section>
  )
}
