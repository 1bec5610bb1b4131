import { isMoney, isRow, Value, type Row } from './cells'
import { DataTable } from './data-table'
import { formatLabel } from './label'

const isSimple = (value: unknown) => !isRow(value) && !Array.isArray(value)
const isEmpty = (value: unknown) => typeof value === 'object' && value !== null && Object.keys(value).length === 0
const maxColumns = 6

/** @returns the keys for the columns: simple values that differ, ids last */
const columnsOf = (rows: Row[]): string[] => {
  const keys = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  const simple = keys.filter((key) => rows.some((row) => row[key] != null) &&
    rows.every((row) => isSimple(row[key]) || isMoney(row[key])))
  const isId = (key: string) => key === 'id' || key.endsWith('_id') || key === 'arn' || key.endsWith('_arn')
  return [...simple.filter((key) => !isId(key)), ...simple.filter(isId)].slice(0, maxColumns)
}

export const Json = ({ value }: { value: unknown }) =>
  <pre class='block' tabIndex={0}>{typeof value === 'string' ? value : JSON.stringify(value, null, 2)}</pre>

const rowsOf = (value: unknown): Row[] | undefined => {
  const items = isRow(value) ? value.items : value
  const isTable = Array.isArray(items) && items.length > 0 && items.every(isRow) && columnsOf(items).length > 0
  return isTable ? items : undefined
}

const Member = ({ name, value }: { name: string, value: unknown }) => <>
  <dt>{formatLabel(name)}</dt><dd><Value name={name} value={value} /></dd>
</>

/** The result of an operation: a list as a table, a record as a definition list, anything else as JSON. */
export const Result = ({ value }: { value: unknown }) => {
  const rows = rowsOf(value)
  if (rows) return <DataTable rows={rows} columns={columnsOf(rows)} />
  if (!isRow(value)) return <Json value={value} />
  const entries = Object.entries(value)
  const simple = entries.filter(([, part]) => isSimple(part) || isMoney(part) || isEmpty(part))
  if (simple.length * 2 <= entries.length) return <Json value={value} />
  return (
    <dl class='facts'>
      {entries.map(([key, part]) => <Member key={key} name={key} value={part} />)}
    </dl>
  )
}
