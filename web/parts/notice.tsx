import type { ComponentChildren } from 'preact'
import { CircleAlert, CircleCheck, Info, TriangleAlert } from './icons'
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

/** The API's description of a problem, with advice. */
export const ProblemNotice = ({ problem, retry }: { problem: Problem, retry?: () => void }) =>
  <Notice tone='bad' action={retry && <button class='small' type='button' onClick={retry}>Try again</button>}>
    <strong>{problem.message}</strong>
    {problem.fields.length > 0 && <ul>{problem.fields.map((field) => <li key={field}>{field}</li>)}</ul>}
    <div class='small muted'>{advice[problem.code] ?? ''} <code>{problem.code}</code>
      {problem.body?.request_id && <> · request <code>{problem.body.request_id}</code></>}
    </div>
  </Notice>
