import type { ComponentChildren } from 'preact'
import { ShieldCheck } from '../parts/icons'
import { formatSummary } from '../parts/label'
import type { Approval } from './approval'
import { say } from '../texts/say'

interface Props { id: string, approval: Approval, summary: string, children: ComponentChildren }

/** The summary, and below it the risk and the status. */
export const Head = ({ id, approval, summary, children }: Props) => <>
  <header>
    <ShieldCheck size={18} aria-hidden='true' />
    <strong class='grow' id={id}>
      <span class='unseen'>{say('approval.unseen')}</span>{formatSummary({ summary, name: approval.name })}
    </strong>
  </header>
  <div class='row tight small muted'>{children}</div>
</>
