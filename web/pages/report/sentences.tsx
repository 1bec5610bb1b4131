import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { InlineMarkdown } from '../../parts/markdown'
import { TriangleAlert } from '../../parts/icons'
import { blocksOf, cellsOf, isMarked, type Block, type Line, type Sentence } from './blocks'
import { say, sayWith } from '../../texts/say'
import './report.css'

/** Opens what a sentence cites: the number of a call, or the alert. */
export interface Citing { cited: readonly string[], open: (what: string) => void }
export const CitingContext = createContext<Citing>({ cited: [], open: () => undefined })

const Citations = ({ of: { tool_call_ids: ids, cites_alert: alert } }: { of: Sentence }) => {
  const { cited, open } = useContext(CitingContext)
  return (
    <>
      {ids.map((id) => <button
        key={id} type='button' class='cite' onClick={() => open(id)}
        aria-label={say('report.openResult', { number: cited.indexOf(id) + 1 })}
      >{cited.indexOf(id) + 1}
      </button>)}
      {alert && <button type='button' class='cite' aria-label={say('report.openAlert')} onClick={() => open('alert')}>
        {say('report.alertCite')}
      </button>}
    </>
  )
}

/** Why a sentence is marked, in words: the colour alone says it to nobody who cannot see it. */
const Reason = ({ of: sentence }: { of: Sentence }) => !isMarked(sentence)
  ? null
  : <span class='mark-reason'><TriangleAlert size={13} aria-hidden='true' />{' '}
    {sentence.status === 'uncited'
      ? say('report.uncited')
      : sayWith('report.missing', {
        names: sentence.missing.map((text, index) => <span key={text}>
        {index > 0 && ', '}<code>{text}</code>
        </span>)
      })}
  </span>

const OneSentence = ({ of: sentence }: { of: Sentence }) => <span class='sentence'>
  {isMarked(sentence)
    ? <mark><InlineMarkdown text={sentence.text.trim()} /></mark>
    : <InlineMarkdown text={sentence.text.trim()} />}
  <Citations of={sentence} /><Reason of={sentence} />{' '}
</span>

const Sentences = ({ line }: { line: Line }) => <>
  {line.map((sentence, index) => <OneSentence key={index} of={sentence} />)}
</>

const Row = ({ line, isHead }: { line: Line, isHead: boolean }) => {
  const cells = cellsOf(line)
  if (!cells) return null
  const isWrong = line.some(isMarked)
  return (
    <tr class={isWrong ? 'marked' : ''}>
      {cells.map((cell, index) => isHead
        ? <th key={index} scope='col'><InlineMarkdown text={cell} /></th>
        : <td key={index}><InlineMarkdown text={cell} /></td>)}
      <td>{line.map((sentence, index) => <span key={index}>
        <Citations of={sentence} /><Reason of={sentence} />
      </span>)}
      </td>
    </tr>
  )
}

const Rows = ({ lines }: { lines: Line[] }) => <div class='table' tabIndex={0}>
  <table>
    <tbody>{lines.map((line, index) => <Row key={index} line={line} isHead={index === 0} />)}</tbody>
  </table>
</div>

const Code = ({ lines }: { lines: Line[] }) => <pre class='block' tabIndex={0}>
  {lines.flat().map((sentence, index) => isMarked(sentence)
    ? <span key={index}><mark>{sentence.text.trimEnd()}</mark><Reason of={sentence} />{'\n'}</span>
    : sentence.text)}
</pre>

const Item = ({ line }: { line: Line }) => <li><Sentences line={line} /></li>

const OneBlock = ({ block: { kind, lines } }: { block: Block }) => {
  switch (kind) {
    case 'heading': return <h2><Sentences line={lines[0] ?? []} /></h2>
    case 'bullets': return <ul>{lines.map((line, index) => <Item key={index} line={line} />)}</ul>
    case 'numbers': return <ol>{lines.map((line, index) => <Item key={index} line={line} />)}</ol>
    case 'table': return <Rows lines={lines} />
    case 'code': return <Code lines={lines} />
    case 'text': return <p><Sentences line={lines[0] ?? []} /></p>
  }
}

/** A report, sentence by sentence: each with what it cites, and those marked that say more than that. */
export const Sentenced = ({ of: sentences }: { of: readonly Sentence[] }) => <div class='report stack'>
  {blocksOf(sentences).map((block, index) => <OneBlock key={index} block={block} />)}
</div>
