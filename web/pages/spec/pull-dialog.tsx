import { useSignal } from '@preact/signals'
import type { Schemas } from '../../api/client'
import { ProposalDialog } from '../../approvals/proposal'
import { Choice, TextField } from '../../parts/form'
import { Notice } from '../../parts/notice'
import { RepositoryChoice } from '../../parts/repository-choice'
import { layouts } from './layouts'
import type { Session } from './index'
import { say, sayWith } from '../../texts/say'

const Opened = ({ call }: { call: Schemas['ToolCall'] }) => {
  // The result of openSpecPull; a result that is too long for the record lacks the pull request.
  const { pull } = (call.result ?? {}) as Partial<Schemas['OpenedSpecPull']>
  return (
    <Notice tone='good'>
      {sayWith('spec.pull.open', {
        pull: pull?.html_url
          ? <a href={pull.html_url} rel='noreferrer' target='_blank'>
            {say('spec.pull.number', { number: String(pull.number) })}
          </a>
          : say('spec.pull.unknown')
      })}
    </Notice>
  )
}

/** Takes a repository and a folder, shows the branch and its files, and opens exactly that pull request. */
export const PullDialog = ({ session, onClose }: { session: Session, onClose: () => void }) => {
  const repository = useSignal('')
  const layout = useSignal<keyof typeof layouts>('markdown')
  const folder = useSignal('')
  const args = () => ({
    session_id: session.session_id,
    repo_id: repository.value,
    layout: layout.value,
    ...(folder.value.trim() === '' ? {} : { path_prefix: folder.value.trim() })
  })
  return (
    <ProposalDialog
      title={say('spec.pull')} name='openSpecPull' args={args} ready={repository.value !== ''} onClose={onClose}
      done={(call) => <Opened call={call} />}
    >
      <RepositoryChoice value={repository} />
      <Choice label={say('spec.form')} value={layout} options={layouts} />
      <TextField
        label={say('spec.folder')} class='mono' value={folder} maxLength={200} placeholder={say('spec.root')}
      />
    </ProposalDialog>
  )
}
