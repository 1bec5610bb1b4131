import { useSignal } from '@preact/signals'
import { formatLabel } from './label'
import { ChevronRight } from './icons'
import { isMoney, Value, type Row } from './cells'
import { say } from '../texts/say'
import './data-table.css'

interface Order { by: string, isDown: boolean }

/** @returns what a value is ordered by: a number where it is one, else its text */
const orderOf = (value: unknown): number | string => {
  if (typeof value === 'number') return value
  if (isMoney(value)) return Number(value.amount)
  if (typeof value !== 'string') return value === null || value === undefined ? '' : JSON.stringify(value)
  return value
}

const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' })

const compare = (a: unknown, b: unknown): number => {
  const [x, y] = [orderOf(a), orderOf(b)]
  return typeof x === 'number' && typeof y === 'number' ? x - y : collator.compare(String(x), String(y))
}

/** @returns the rows that have each of the words, in the order; without one as they came */
const arrange = (rows: readonly Row[], columns: readonly string[], words: string, order: Order | undefined): Row[] => {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean)
  const textOf = (row: Row) => columns.map((key) => String(orderOf(row[key]))).join(' ').toLowerCase()
  const found = wanted.length === 0
    ? [...rows]
    : rows.filter((row) => {
      const text = textOf(row)
      return wanted.every((word) => text.includes(word))
    })
  if (!order) return found
  const sign = order.isDown ? -1 : 1
  return found.sort((a, b) => sign * compare(a[order.by], b[order.by]))
}

interface HeadProps { name: string, order: Order | undefined, numeric: boolean, onOrder: (order: Order) => void }

const Head = ({ name, order, numeric, onOrder }: HeadProps) => {
  const isOrdered = order?.by === name
  const direction = isOrdered ? order.isDown ? 'descending' : 'ascending' : undefined
  return (
    <th scope='col' aria-sort={direction ?? 'none'} class={numeric ? 'numeric' : ''}>
      <button type='button' class='sort' onClick={() => onOrder({ by: name, isDown: isOrdered && !order.isDown })}>
        {formatLabel(name)}<ChevronRight size={13} aria-hidden='true' class={direction ?? 'unordered'} />
      </button>
    </th>
  )
}

/** So many rows are found with the eyes. */
const few = 5
/** Rows that are drawn at once. */
const drawn = 200

interface Props { rows: readonly Row[], columns: readonly string[] }

const isNumeric = (rows: readonly Row[], name: string): boolean =>
  rows.every((row) => row[name] == null || typeof row[name] === 'number' || isMoney(row[name]))

/** Rows that can be sorted by each column, and filtered by words. */
export const DataTable = ({ rows, columns }: Props) => {
  const words = useSignal('')
  const order = useSignal<Order | undefined>(undefined)
  const limit = useSignal(drawn)
  const shown = arrange(rows, columns, words.value, order.value)
  const numeric = new Set(columns.filter((name) => isNumeric(rows, name)))
  return (
    <div class='data-table stack tight'>
      {rows.length > few && <div class='row tight small'>
        <input
          type='search' aria-label={say('table.filter')} placeholder={say('table.filter.hint')}
          value={words.value}
          onInput={({ currentTarget }) => { words.value = currentTarget.value }}
        />
        <span class='muted' role='status'>
          {shown.length === rows.length
            ? say('table.rows', { count: rows.length })
            : say('table.someRows', { shown: shown.length, count: rows.length })}
        </span>
      </div>}
      <div class='table' tabIndex={0}>
        <table>
          <thead><tr>{columns.map((name) => <Head
            key={name} name={name} order={order.value} numeric={numeric.has(name)}
            onOrder={(next) => { order.value = next }}
          />)}
          </tr>
          </thead>
          <tbody>{shown.slice(0, limit.value).map((row, index) => <tr key={index}>
            {columns.map((name) => <td key={name} class={numeric.has(name) ? 'numeric' : ''}>
              <Value name={name} value={row[name]} />
            </td>)}
          </tr>)}
          </tbody>
        </table>
      </div>
      {shown.length > limit.value && <button type='button' class='small' onClick={() => { limit.value += drawn }}>
        {say('table.more', { count: Math.min(drawn, shown.length - limit.value) })}
      </button>}
    </div>
  )
}
