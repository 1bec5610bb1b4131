import { useSignal } from '@preact/signals'
import { ShieldCheck } from '../../../parts/icons'
import { Empty } from '../../../parts/states'
import { Table } from '../../../parts/table'
import { describeThen, describeWhen } from './describe-row'
import { newRow } from './row-fields'
import { RowDialog } from './row-dialog'
import { readPolicies, writePolicies, type Row, type Segment } from './rows'
import { say } from '../../../texts/say'

interface LineProps { row: Row, onEdit: () => void, onRemove: () => void }

const Line = ({ row: { id, note, when, then }, onEdit, onRemove }: LineProps) => {
  const name = id === '' ? say('row.unnamed') : id
  return (
    <tr>
      <td><strong>{name}</strong>{note !== '' && <div class='small muted written'>{note}</div>}</td>
      <td>{describeWhen(when)}</td>
      <td>{describeThen(then)}</td>
      <td><div class='row tight fixed'>
        <button type='button' class='small' aria-label={say('common.editOne', { name })} onClick={onEdit}>
          {say('common.edit')}
        </button>
        <button type='button' class='small danger' aria-label={say('common.removeOne', { name })} onClick={onRemove}>
          {say('common.remove')}
        </button>
      </div>
      </td>
    </tr>
  )
}

const isCode = (text: string): boolean => text.split('\n').some((line) => !line.trim().startsWith('//'))

/** What a row cannot say stays as it is. */
const TextLine = ({ text }: { text: string }) => <tr>
  <td colSpan={4}>
    {isCode(text) && <p class='small muted'>{say('row.textOnly')}</p>}
    <pre class='block small' tabIndex={0}>{text}</pre>
  </td>
</tr>

interface Props {
  /** The policies in Cedar. */
  text: string
  onText: (text: string) => void
}

/** The policies in their order, each as when and then. A change is written into the text, of which they are read. */
export const RowsTable = ({ text, onText }: Props) => {
  const editing = useSignal<number | undefined>(undefined)
  const segments = readPolicies(text)
  const { value: at } = editing
  const edited = at === undefined ? undefined : segments[at]
  const write = (next: readonly Segment[]) => onText(writePolicies(next))
  const save = (index: number, row: Row) => {
    const next: Segment = { kind: 'row', row }
    write(index < segments.length ? segments.with(index, next) : [...segments, next])
  }
  const add = <button type='button' onClick={() => { editing.value = segments.length }}>{say('row.add')}</button>
  return (
    <>
      {segments.length === 0
        ? <Empty icon={ShieldCheck} title={say('row.none')}><p>{say('row.none.words')}</p>{add}</Empty>
        : <>
          <Table columns={[say('common.name'), say('row.when'), say('row.then'), { unseen: say('common.change') }]}>
            {segments.map((segment, index) => segment.kind === 'row'
              ? <Line
                  key={index} row={segment.row} onEdit={() => { editing.value = index }}
                  onRemove={() => write(segments.filter((_, other) => other !== index))}
              />
              : <TextLine key={index} text={segment.text} />)}
          </Table>
          <div>{add}</div>
        </>}
      {at !== undefined && <RowDialog
        title={edited?.kind === 'row' ? say('row.edit') : say('row.new')} row={edited?.kind === 'row' ? edited.row : newRow}
        onSave={(row) => save(at, row)} onClose={() => { editing.value = undefined }}
      />}
    </>
  )
}
