import { useSignal } from '@preact/signals'
import type { Schemas } from '../../api/client'
import { ProposalDialog } from '../../approvals/proposal'
import { Notice } from '../../parts/notice'
import { sayProblem, toProblem } from '../../parts/problem-words'
import { RepositoryChoice } from '../../parts/repository-choice'
import type { Session } from './index'
import { say } from '../../texts/say'

const Created = ({ call }: { call: Schemas['ToolCall'] }) => {
  // The result of openSpecIssues; a result that is too long for the record lacks parts of it.
  const { issues = [], left = 0, error } = (call.result ?? {}) as Partial<Schemas['OpenedSpecIssues']>
  const count = issues.filter(({ outcome }) => outcome === 'created').length
  return (
    <Notice tone={error ? 'warn' : 'good'}>
      {say('spec.issues.created', { count })} {left > 0 && `${say('spec.issues.left', { count: left })} `}
      {error && sayProblem(toProblem(error))}
    </Notice>
  )
}

/** Takes a repository, shows each issue in whole, and creates exactly those. */
export const IssuesDialog = ({ session, onClose }: { session: Session, onClose: () => void }) => {
  const repository = useSignal('')
  const args = () => ({ session_id: session.session_id, repo_id: repository.value })
  return (
    <ProposalDialog
      title={say('spec.issues')} name='openSpecIssues' args={args} ready={repository.value !== ''}
      onClose={onClose} done={(call) => <Created call={call} />}
    >
      <RepositoryChoice value={repository} />
    </ProposalDialog>
  )
}
