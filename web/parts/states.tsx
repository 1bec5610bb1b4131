import type { ComponentChildren } from 'preact'
import type { Icon } from './icon'
import type { Resource } from '../api/resource'
import { ProblemNotice } from './notice'
import { say } from '../texts/say'

export const Loading = ({ what }: { what?: string }) =>
  <div class='skeleton' role='status'><span class='unseen'>{what ?? say('loading.what')} …</span><i /><i /><i /></div>

interface EmptyProps { icon: Icon, title: string, children?: ComponentChildren }

/** The text of an empty list: what belongs there, and how to add it. */
export const Empty = ({ icon: Icon, title, children }: EmptyProps) => <div class='empty'>
  <Icon size={28} strokeWidth={1.5} aria-hidden='true' />
  <h2>{title}</h2>
  {children}
</div>

interface Props<T> { of: Resource<T>, children: (data: T) => ComponentChildren }

/** Loading, a problem, or the data. A failed reload keeps the earlier data visible. */
export const Loaded = <T,>({ of: { data, problem, reload }, children }: Props<T>) => <>
  {problem && <ProblemNotice problem={problem} retry={reload} />}
  {data === undefined ? !problem && <Loading /> : children(data)}
</>
