import { useSignal } from '@preact/signals'
import type { Schemas } from '../../api/client'
import { ProposalDialog } from '../../approvals/proposal'
import { TextField } from '../../parts/form'
import { say } from '../../texts/say'

interface Props { app: Schemas['App'], onDone: () => void, onClose: () => void }

/** Takes a branch, a tag or a commit, shows what its deployment changes, and asks for approval of exactly that. */
export const BuildDialog = ({ app, onDone, onClose }: Props) => {
  const ref = useSignal('')
  const args = () => ({ app_id: app.id, ...(ref.value.trim() === '' ? {} : { ref: ref.value.trim() }) })
  return (
    <ProposalDialog
      title={say('app.build.of', { name: app.name })} name='deployApp' args={args} onDone={onDone} onClose={onClose}
    >
      <TextField
        label={say('app.ref')} class='mono' value={ref} placeholder={app.source.default_branch}
      />
    </ProposalDialog>
  )
}
