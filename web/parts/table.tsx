import type { ComponentChildren } from 'preact'

/** A column's heading; `unseen` ones are for screen readers, `numeric` ones are aligned to the end. */
export type Column = string | { unseen: string } | { numeric: string }

const Head = ({ column }: { column: Column }) => {
  if (typeof column === 'string') return <th scope='col'>{column}</th>
  if ('numeric' in column) return <th scope='col' class='numeric'>{column.numeric}</th>
  return <th scope='col'><span class='unseen'>{column.unseen}</span></th>
}

/** A table, which scrolls sideways on narrow screens. */
export const Table = ({ columns, children }: { columns: Column[], children: ComponentChildren }) => <div
  class='table' tabIndex={0}
>
  <table>
    <thead><tr>{columns.map((column, index) => <Head key={index} column={column} />)}</tr></thead>
    <tbody>{children}</tbody>
  </table>
</div>
