import type { Problem } from '../../../api/problem'
import { Notice, ProblemNotice } from '../../../parts/notice'
import { say } from '../../../texts/say'

/** A problem of a text, and where it stands; the schema of an error response does not list it. */
interface Found { message: string, line: number | null, column: number | null }

/** @returns the problems with their places */
const problemsOf = ({ body }: Problem): Found[] => (body as { problems?: Found[] } | undefined)?.problems ?? []

interface PlaceProps { text: string, line: number, column: number }

/** The line of the text, with a mark below the column. */
const Place = ({ text, line, column }: PlaceProps) => {
  const shown = text.split('\n')[line - 1] ?? ''
  return (
    <div class='stack tight'>
      <pre class='block' tabIndex={0} aria-label={say('diff.line', { line })}>{shown}
        {'\n'}<span class='problem' aria-hidden='true'>{' '.repeat(Math.max(0, column - 1))}^</span>
      </pre>
    </div>
  )
}

interface Props { problem: Problem, text: string, onGo: (line: number, column: number) => void }

type OneProps = Omit<Props, 'problem'> & { found: Found }

const One = ({ found: { message, line, column }, text, onGo }: OneProps) => {
  const at = line !== null && column !== null ? { line, column } : undefined
  return (
    <li class='stack tight'>
      <strong>{message}</strong>
      {at && <>
        <Place text={text} {...at} />
        <div><button type='button' class='small' onClick={() => onGo(at.line, at.column)}>
          {say('policy.goTo', { line: at.line, column: at.column })}
        </button>
        </div>
      </>}
    </li>
  )
}

/** Why a draft was not saved, each problem at its place. `text`: what was sent. */
export const Problems = ({ problem, text, onGo }: Props) => {
  const found = problemsOf(problem)
  if (found.length === 0) return <ProblemNotice problem={problem} />
  return (
    <Notice tone='bad'>
      <p>{say('policy.problems', { count: found.length })}</p>
      <ul class='plain stack'>
        {found.map((one, index) => <One key={index} found={one} text={text} onGo={onGo} />)}
      </ul>
    </Notice>
  )
}
