import { Time } from './time'
import { StateBadge } from './badge'
import { formatCount, formatMoney } from './money'
import { formatLabel } from './label'

type Row = Record<string, unknown>

const isRow = (value: unknown): value is Row => typeof value === 'object' && value !== null && !Array.isArray(value)
const isMoney = (value: unknown): value is { amount: string, currency: string } =>
  isRow(value) && typeof value.amount === 'string' && typeof value.currency === 'string'
const isTime = (value: unknown): value is string =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/.test(value)
const stateKeys = new Set(['status', 'state', 'health', 'risk'])

/** One value of the API in a format for its type; objects are shown as JSON. */
export const Value = ({ name, value }: { name: string, value: unknown }) => {
  if (value === null || value === undefined) return <span class='muted'>–</span>
  if (isMoney(value)) return <>{formatMoney(value)}</>
  if (isTime(value)) return <Time at={value} />
  if (typeof value === 'number') return <>{formatCount(value)}</>
  if (typeof value === 'boolean') return <>{value ? 'yes' : 'no'}</>
  if (typeof value === 'string') return stateKeys.has(name) ? <StateBadge state={value} /> : <>{value}</>
  if (Object.keys(value as object).length === 0) return <span class='muted'>none</span>
  return <code>{JSON.stringify(value)}</code>
}

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

const Rows = ({ rows }: { rows: Row[] }) => {
  const columns = columnsOf(rows)
  return (
    <div class='table' tabIndex={0}>
      <table>
        <thead><tr>{columns.map((key) => <th key={key} scope='col'>{formatLabel(key)}</th>)}</tr></thead>
        <tbody>{rows.map((row, index) => <tr key={index}>
          {columns.map((key) => <td key={key}><Value name={key} value={row[key]} /></td>)}
        </tr>)}
        </tbody>
      </table>
    </div>
  )
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
  if (rows) return <Rows rows={rows} />
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
