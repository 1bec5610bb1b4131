import { useSignal } from '@preact/signals'
import type { Schemas } from '../../../api/client'
import { Badge } from '../../../parts/badge'
import { FlaskConical } from '../../../parts/icons'
import { Empty } from '../../../parts/states'
import { Table } from '../../../parts/table'
import { ExampleDialog, outcomes } from './example-dialog'
import { noExample } from './example-fields'

type Example = Schemas['PolicyExample']
type Result = Schemas['ExampleResult']

const Passed = ({ result }: { result: Result | undefined }) => {
  if (!result) return <span class='muted'>not tried</span>
  if (result.passed) return <Badge tone='good'>passes</Badge>
  const { outcome, requirement, policies } = result.verdict
  return (
    <>
      <Badge tone='bad'>fails</Badge>{' '}
      <span class='small'>it {outcomes[outcome]}{requirement && `, ${requirement.approvals} to approve`}
        {policies.length > 0 && ` (${policies.join(', ')})`}
      </span>
    </>
  )
}

interface RowProps { example: Example, result: Result | undefined, onEdit: () => void, onRemove: () => void }

const Row = ({ example: { name, request, expect }, result, onEdit, onRemove }: RowProps) => <tr>
  <td>{name}<div class='small muted'>{request.tool} {outcomes[expect.outcome]}
    {expect.approvals !== undefined && `, ${expect.approvals} to approve`}
  </div>
  </td>
  <td><Passed result={result} /></td>
  <td><div class='row tight fixed'>
    <button type='button' class='small' aria-label={`Edit ${name}`} onClick={onEdit}>Edit</button>
    <button type='button' class='small danger' aria-label={`Remove ${name}`} onClick={onRemove}>Remove</button>
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
  const add = <button type='button' onClick={() => { editing.value = examples.length }}>Add an example</button>
  const { value: at } = editing
  const save = (index: number, example: Example) =>
    onChange(index < examples.length ? examples.with(index, example) : [...examples, example])
  return (
    <section class='card flush' aria-label='Examples'>
      <header><h2>Examples</h2>{examples.length > 0 && add}</header>
      {examples.length === 0
        ? <Empty icon={FlaskConical} title='No examples'>
          <p>An example is a test: what the policies must say of a write. A draft that fails one is not enabled.</p>
          {add}
        </Empty>
        : <Table columns={['Example', 'Now', { unseen: 'Change' }]}>
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
