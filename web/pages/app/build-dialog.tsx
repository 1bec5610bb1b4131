import { useSignal } from '@preact/signals'
import type { Schemas } from '../../api/client'
import { ProposalDialog } from '../../approvals/proposal'
import { TextField } from '../../parts/form'

interface Props { app: Schemas['App'], onDone: () => void, onClose: () => void }

/** Takes a branch, a tag or a commit, shows what its deployment changes, and asks for approval of exactly that. */
export const BuildDialog = ({ app, onDone, onClose }: Props) => {
  const ref = useSignal('')
  const args = () => ({ app_id: app.id, ...(ref.value.trim() === '' ? {} : { ref: ref.value.trim() }) })
  return (
    <ProposalDialog
      title={`Build and deploy ${app.name}`} name='deployApp' args={args} onDone={onDone} onClose={onClose}
    >
      <TextField
        label='Branch, tag or commit' class='mono' value={ref} placeholder={app.source.default_branch}
      />
    </ProposalDialog>
  )
}
