import type { ComponentChildren } from 'preact'

/** A column's heading; `unseen` ones are for screen readers, `numeric` ones are aligned to the end. */
export type Column = string | { unseen: string } | { numeric: string }

const Head = ({ column }: { column: Column }) => {
  if (typeof column === 'string') return <th scope='col'>{column}</th>
  if ('numeric' in column) return <th scope='col' class='numeric'>{column.numeric}</th>
  return <th scope='col'><span class='unseen'>{column.unseen}</span></th>
}

interface Props {
  columns: Column[]
  /** On narrow screens each row is a card, whose cells name their columns in `data-name` where they need it. */
  cards?: boolean
  children: ComponentChildren
}

/** A table, which scrolls sideways on narrow screens unless its rows are cards there. */
export const Table = ({ columns, cards = false, children }: Props) => <div
  class={cards ? 'table row-cards' : 'table'} tabIndex={0}
>
  <table>
    <thead><tr>{columns.map((column, index) => <Head key={index} column={column} />)}</tr></thead>
    <tbody>{children}</tbody>
  </table>
</div>
