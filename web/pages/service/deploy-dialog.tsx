import { useSignal } from '@preact/signals'
import type { Schemas } from '../../api/client'
import { ProposalDialog } from '../../approvals/proposal'
import { TextField } from '../../parts/form'

interface Props { service: Schemas['ServiceDetail'], onClose: () => void, onChange: () => void }

/** Takes an image, and previews its deployment for approval. The same image restarts all tasks. */
export const DeployDialog = ({ service, onClose, onChange }: Props) => {
  const image = useSignal(service.images?.[0]?.image ?? '')
  const args = () => {
    const wanted = image.value.trim()
    const same = service.images?.some((one) => one.image === wanted)
    return {
      service: service.id,
      ...(same ? { force_new_deployment: true } : { image: wanted }),
      // The approval covers exactly what is on the screen.
      ...(service.task_definition ? { expected_task_definition: service.task_definition.arn } : {})
    }
  }
  return (
    <ProposalDialog
      title={`Deploy ${service.name}`} name='deployService' args={args} onDone={onChange} onClose={onClose}
      ready={image.value.trim() !== ''}
    >
      <TextField label='Image' class='mono' value={image} required />
    </ProposalDialog>
  )
}
