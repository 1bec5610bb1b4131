import { compareTexts, type Piece } from './changed'
import { Pieces } from './pieces'
import { say } from '../texts/say'
import './diff.css'

/** `@@ -12,7 +12,8 @@`: the line numbers of the next lines. */
const Where = ({ line }: { line: string }) => {
  const [, before = '', after = ''] = /^@@ -(\d+)\S* \+(\d+)/.exec(line) ?? []
  const where = before === after
    ? say('diff.line', { line: after })
    : say('diff.lineNow', { before, line: after })
  return <span class='line where'>{where}</span>
}

const Sign = ({ of, unseen }: { of: string, unseen: string }) =>
  <><span class='unseen'>{unseen} </span><i aria-hidden='true'>{of}</i></>

interface LineProps { line: string, pieces: Piece[] | undefined }

const Line = ({ line, pieces }: LineProps) => {
  const text = pieces ? <Pieces pieces={pieces} /> : line.slice(1)
  switch (line[0]) {
    case '@': return <Where line={line} />
    case '+': return <ins class='line'><Sign of='+' unseen={say('diff.added')} />{text}</ins>
    case '-': return <del class='line'><Sign of='−' unseen={say('diff.removed')} />{text}</del>
    case '\\': return <span class='line where'>{text}</span>
    default: return <span class='line'><i aria-hidden='true' />{text}</span>
  }
}

/** Lines that share less than this part of the shorter one are two lines, not one that changed. */
const leastShared = 0.4

const lengthOf = (pieces: readonly Piece[]): number =>
  pieces.reduce((sum, { text, changed }) => changed ? sum : sum + text.trim().length, 0)

const countFrom = (lines: readonly string[], from: number, sign: string): number => {
  let at = from
  while (lines[at]?.startsWith(sign)) at++
  return at - from
}

/** @returns the pieces of the lines that replace each other, by the line's index: line against line */
const piecesOf = (lines: readonly string[]): Map<number, Piece[]> => {
  const found = new Map<number, Piece[]>()
  for (let at = 0; at < lines.length; at++) {
    const removed = countFrom(lines, at, '-')
    const added = removed === 0 ? 0 : countFrom(lines, at + removed, '+')
    for (let pair = 0; pair < Math.min(removed, added); pair++) {
      const [before = '', after = ''] = [lines[at + pair]?.slice(1), lines[at + removed + pair]?.slice(1)]
      const [left, right] = compareTexts(before, after)
      if (lengthOf(left) < leastShared * Math.min(before.trim().length, after.trim().length)) continue
      found.set(at + pair, left)
      found.set(at + removed + pair, right)
    }
    at += Math.max(0, removed + added - 1)
  }
  return found
}

/** The diff of a long text, line by line. Signs mark the changes; colors only repeat them. */
export const UnifiedDiff = ({ text, label }: { text: string, label: string }) => {
  const lines = text.split('\n')
  const pieces = piecesOf(lines)
  return (
    <div class='diff unified' tabIndex={0} role='region' aria-label={label}>
      {lines.map((line, index) => <Line key={index} line={line} pieces={pieces.get(index)} />)}
    </div>
  )
}
