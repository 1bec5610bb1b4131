import type { ComponentChildren } from 'preact'
import { CircleAlert, CircleCheck, Info, TriangleAlert } from './icons'
import { offline } from '../api/connection'
import type { Problem } from '../api/problem'

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

const advice: Record<string, string> = {
  unreachable: 'Check that Steward runs and that you are online, then try again.',
  plan_unavailable: 'Steward could not preview the change, and did nothing. Try again in a moment.',
  rate_limited: 'Wait a little, then try again.',
  insufficient_role: 'Ask an admin of the workspace for a role that may do this.',
  cloud_access_denied: 'The account\'s permission test shows which permissions are missing.',
  codehost_not_connected: 'Link your code host in Settings, Connections.'
}

interface ProblemProps {
  problem: Problem
  retry?: () => void
  /** Pointers of fields that show their errors themselves. */
  shown?: readonly string[]
}

const Fields = ({ fields }: { fields: string[] }) => fields.length === 0
  ? null
  : <ul>{fields.map((field) => <li key={field}>{field}</li>)}</ul>

/** The API's description of a problem, with advice. That nothing answers is said once for the whole page. */
export const ProblemNotice = (props: ProblemProps) =>
  props.problem.code === 'unreachable' && offline.value ? null : <OneProblem {...props} />

const OneProblem = ({ problem, retry, shown = [] }: ProblemProps) =>
  <Notice tone='bad' action={retry && <button class='small' type='button' onClick={retry}>Try again</button>}>
    <strong>{problem.message}</strong>
    <Fields fields={problem.fieldsBut(shown)} />
    <div class='small muted'>{advice[problem.code] ?? ''} <code>{problem.code}</code>
      {problem.body?.request_id && <> · request <code>{problem.body.request_id}</code></>}
    </div>
  </Notice>
