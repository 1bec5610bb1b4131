import type { ComponentChildren } from 'preact'
import { CircleAlert, CircleCheck, Info, TriangleAlert } from './icons'
import { offline } from '../api/connection'
import type { Problem } from '../api/problem'
import { say, sayWith } from '../texts/say'
import { Cause, explainProblem, Faults, PageButton } from './problem-words'

const icons = { bad: CircleAlert, good: CircleCheck, info: Info, warn: TriangleAlert }

interface Props { tone?: keyof typeof icons, children: ComponentChildren, action?: ComponentChildren }

export const Notice = ({ tone = 'info', children, action }: Props) => {
  const Icon = icons[tone]
  return (
    <div class={`notice ${tone}`} role={tone === 'bad' ? 'alert' : 'status'}>
      <Icon size={17} aria-hidden='true' />
      <div class='grow'>{children}</div>
      {action}
    </div>
  )
}

interface ProblemProps {
  problem: Problem
  retry?: () => void
  /** Pointers of fields that show their errors themselves. */
  shown?: readonly string[]
  /** Said in place of the problem's title. */
  title?: string
}

/** A problem, why it came, what to do, and a button where that is on another page. */
export const ProblemWords = ({ problem, retry, shown = [], title }: ProblemProps) => {
  const found = explainProblem(problem)
  return (
    <div class='stack tight'>
      <strong>{title ?? found.title}</strong>
      {found.detail !== undefined && <div class='small' lang='en'>{found.detail}</div>}
      {found.cause && <Cause of={found.cause} />}
      <Faults of={found.faults.filter(({ pointer }) => !shown.includes(pointer))} />
      {found.advice && <div class='small'>{say(found.advice)}</div>}
      {(retry ?? found.page) && <div class='row tight'>
        {retry && <button class='small' type='button' onClick={retry}>{say('problem.again')}</button>}
        <PageButton of={found} />
      </div>}
      {found.request && <div class='small muted'>
        {sayWith('problem.request', { id: <code>{found.request}</code> })}
      </div>}
    </div>
  )
}

/** The same as an alert. That nothing answers is said once for the whole page. */
export const ProblemNotice = (props: ProblemProps) => props.problem.code === 'unreachable' && offline.value
  ? null
  : <Notice tone='bad'><ProblemWords {...props} /></Notice>
