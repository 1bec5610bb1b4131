import type { Resource } from '../../api/resource'
import { Notice } from '../../parts/notice'
import { sayProblem } from '../../parts/problem-words'
import type { Found } from './read-running'
import { say } from '../../texts/say'

const titles = { service: 'running.unread.services', function: 'running.unread.functions' } as const

/** Says of which kind nothing could be listed, and why. */
export const Unread = ({ of: { data, reload } }: { of: Resource<Found> }) => <>
  {data?.unread.map(({ kind, problem }) => <Notice
    key={kind} tone='bad'
    action={<button class='small' type='button' onClick={reload}>{say('problem.again')}</button>}
  >
    <strong>{say(titles[kind])}</strong>
    <div class='small'>{sayProblem(problem)}</div>
  </Notice>)}
</>
