import type { ComponentChildren } from 'preact'
import type { LucideIcon } from 'lucide-preact'
import type { Resource } from '../api/resource'
import { ProblemNotice } from './notice'

export const Loading = ({ what = 'Loading' }: { what?: string }) =>
  <div class='skeleton' role='status'><span class='unseen'>{what} …</span><i /><i /><i /></div>

interface EmptyProps { icon: LucideIcon, title: string, children?: ComponentChildren }

/** A list without entries says what would be there and how to get it there. */
export const Empty = ({ icon: Icon, title, children }: EmptyProps) => <div class='empty'>
  <Icon size={28} strokeWidth={1.5} aria-hidden='true' />
  <h3>{title}</h3>
  {children}
</div>

interface Props<T> { of: Resource<T>, children: (data: T) => ComponentChildren }

/** Loading, error, or what was loaded; what was loaded stays in sight when looking again fails. */
export const Loaded = <T,>({ of: { data, problem, reload }, children }: Props<T>) => <>
  {problem && <ProblemNotice problem={problem} retry={reload} />}
  {data === undefined ? !problem && <Loading /> : children(data)}
</>
