import type { Schemas } from '../api/client'
import { compareTexts, type Piece } from '../parts/changed'
import { ArrowRight } from '../parts/icons'
import { formatLabel } from '../parts/label'
import { Pieces } from '../parts/pieces'
import { UnifiedDiff } from '../parts/unified-diff'
import { say } from '../texts/say'
import { translate } from '../texts/translate'
import { picturesOf } from './pictured'
import { Pictures } from './pictures'

type Row = Schemas['PreviewRow']

/** A field of the arguments is named as there: description → Description. */
const labelOf = ({ label }: Row): string =>
  /^[a-z][a-z0-9_]*$/.test(label) ? formatLabel(label) : translate('rows', label)

const Nothing = () => <span class='muted'>–</span>

const Side = ({ text, what, pieces }: { text: string | null, what: string, pieces?: Piece[] | undefined }) => <td
  class={what}
>{pieces ? <Pieces pieces={pieces} /> : text ?? <Nothing />}
</td>

const hasMoved = ({ shown, before }: Row) => shown !== undefined && shown !== before

/** The current value, marked when it differs from the one shown first. */
const Now = ({ row, pieces }: { row: Row, pieces: Piece[] | undefined }) => <td
  class={hasMoved(row) ? 'before moved' : 'before'}
>
  {pieces ? <Pieces pieces={pieces} /> : row.before ?? <Nothing />}
  {hasMoved(row) && <span class='unseen'>{say('preview.changed')}</span>}
</td>

/** The tag of an image, a word of a sentence: what is another one is marked on both sides. */
const Line = ({ row, again }: { row: Row, again: boolean }) => {
  const { before, after } = row
  const [was, becomes] = before === null || after === null || before === after ? [] : compareTexts(before, after)
  return (
    <tr>
      <th scope='row'>{labelOf(row)}</th>
      {again && <Side text={row.shown ?? null} what='shown' />}
      <Now row={row} pieces={was} />
      <td class='arrow'><ArrowRight size={14} aria-label={say('preview.to')} /></td>
      <Side text={after} what='after' pieces={becomes} />
    </tr>
  )
}

const Lines = ({ rows, again }: { rows: Row[], again: boolean }) => <div class='table preview' tabIndex={0}>
  <table>
    <thead>
      <tr>
        <th scope='col'>{say('preview.change')}</th>
        {again && <th scope='col'>{say('preview.shown')}</th>}
        <th scope='col'>{say(again ? 'preview.now' : 'preview.before')}</th>
        <th><span class='unseen'>{say('preview.to')}</span></th>
        <th scope='col'>{say(again ? 'preview.becomes' : 'preview.after')}</th>
      </tr>
    </thead>
    <tbody>{rows.map((row, index) => <Line key={index} row={row} again={again} />)}</tbody>
  </table>
</div>

const longest = 300
const isLong = (text: string | null): text is string => text !== null && (text.length > longest || text.includes('\n'))
const signed = (text: string, sign: string) => text.split('\n').map((line) => sign + line).join('\n')

/** @returns the diff of a change that is too long for a table cell; undefined for a short one */
const diffOf = ({ diff, before, after }: Row): string | undefined => {
  if (diff !== undefined) return diff
  if (before === null && isLong(after)) return signed(after, '+')
  if (after === null && isLong(before)) return signed(before, '-')
  return undefined
}

const Text = ({ row, diff }: { row: Row, diff: string }) => <figure class='stack tight'>
  <figcaption>
    <strong>{labelOf(row)}</strong>
    {hasMoved(row) && <span class='small muted'>{say('preview.moved')}</span>}
  </figcaption>
  <UnifiedDiff text={diff} label={say('preview.diff', { label: labelOf(row) })} />
</figure>

interface Props { rows: Row[], again?: boolean }

/**
 * What will change, as the server computed it from the live state. `again`: the approval replaces another one, whose
 * values stand beside the current ones.
 */
export const Preview = ({ rows, again = false }: Props) => {
  const texts = rows.map((row) => ({ row, diff: diffOf(row) }))
  const lines = texts.filter(({ diff }) => diff === undefined).map(({ row }) => row)
  return (
    <>
      {lines.length > 0 && <Lines rows={lines} again={again && lines.some(({ shown }) => shown !== undefined)} />}
      {texts.map(({ row, diff }, index) => diff !== undefined && <Text key={index} row={row} diff={diff} />)}
      {rows.map((row, index) => {
        const sides = picturesOf(row)
        return sides && <Pictures key={index} label={labelOf(row)} sides={sides} />
      })}
    </>
  )
}
