import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'

/** A column's heading; `unseen` ones are for screen readers, `numeric` ones are aligned to the end. */
export type Column = string | { unseen: string } | { numeric: string }

const Head = ({ column }: { column: Column }) => {
  if (typeof column === 'string') return <th scope='col'>{column}</th>
  if ('numeric' in column) return <th scope='col' class='numeric'>{column.numeric}</th>
  return <th scope='col'><span class='unseen'>{column.unseen}</span></th>
}

interface Props {
  columns: Column[]
  /** false: its columns are compared, so they stay beside each other on narrow screens, and scroll there. */
  cards?: boolean
  children: ComponentChildren
}

const nameOf = (column: Column | undefined): string => {
  if (typeof column === 'string') return column
  return column !== undefined && 'numeric' in column ? column.numeric : ''
}

/** A card has no headings: each cell but the first, which is the row's own name, says its column's. */
const nameCells = (table: HTMLTableElement, columns: readonly Column[]): void => {
  for (const cell of table.querySelectorAll<HTMLTableCellElement>(':scope > tbody > tr > td')) {
    const name = nameOf(columns[cell.cellIndex])
    if (cell.cellIndex > 0 && cell.colSpan === 1 && name !== '') cell.dataset.name = name
  }
}

/** A table, whose rows are cards on narrow screens. */
export const Table = ({ columns, cards = true, children }: Props) => {
  const table = useRef<HTMLTableElement>(null)
  // After each drawing: rows come, and the language changes.
  useLayoutEffect(() => { if (cards && table.current) nameCells(table.current, columns) })
  return (
    <div class={cards ? 'table row-cards' : 'table'} tabIndex={0}>
      <table ref={table}>
        <thead><tr>{columns.map((column, index) => <Head key={index} column={column} />)}</tr></thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  )
}
