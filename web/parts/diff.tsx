import { say } from '../texts/say'

import './diff.css'

export interface DiffPart { op: 'equal' | 'insert' | 'delete', text: string }

const Part = ({ part: { op, text } }: { part: DiffPart }) => {
  if (op === 'equal') return <>{text}</>
  return op === 'insert'
    ? <ins><span class='unseen'>{say('diff.added')} </span>{text}</ins>
    : <del><span class='unseen'>{say('diff.removed')} </span>{text}</del>
}

/** The removed and the added parts between two versions of a text. */
export const Diff = ({ parts, label }: { parts: DiffPart[], label: string }) => <div
  class='diff' tabIndex={0} role='region' aria-label={label}
>{parts.map((part, index) => <Part key={index} part={part} />)}
</div>
