import { useSignal } from '@preact/signals'
import type { Schemas } from '../../api/client'
import { ProposalDialog } from '../../approvals/proposal'
import { field } from '../../parts/cell'
import { TextField } from '../../parts/form'
import { say } from '../../texts/say'

interface Props { service: Schemas['ServiceDetail'], onClose: () => void, onChange: () => void }

/** Takes an image for each container, and previews the deployment. Where none changes, all tasks are restarted. */
export const DeployDialog = ({ service, onClose, onChange }: Props) => {
  const now = service.images ?? []
  // Keyed by the container's name; a service whose images could not be read has one without a name.
  const containers = now.length > 0 ? now : [{ container: '', image: '' }]
  const typed = useSignal<Record<string, string>>(
    Object.fromEntries(containers.map(({ container, image }) => [container, image])))
  const args = () => {
    const images = containers.map(({ container, image }) =>
      ({ container, image: typed.value[container]?.trim() ?? image }))
    const changed = images.filter(({ image }, index) => image !== containers[index]?.image)
    const [only] = changed
    return {
      service: service.id,
      ...(only === undefined
        ? { force_new_deployment: true }
        : only.container === '' ? { image: only.image } : { images: changed }),
      // The approval covers exactly what is on the screen.
      ...(service.task_definition ? { expected_task_definition: service.task_definition.arn } : {})
    }
  }
  return (
    <ProposalDialog
      title={say('service.deploy.of', { name: service.name })} name='deployService' args={args} onDone={onChange}
      onClose={onClose}
      ready={containers.every(({ container }) => typed.value[container]?.trim() !== '')}
    >
      {containers.map(({ container }) => <TextField
        key={container} label={containers.length === 1 ? say('container.image') : say('service.imageOf', { container })}
        class='mono'
        // Every container has its text from the beginning.
        value={field(typed, container) as { value: string }} required
      />)}
      <p class='small muted'>{say('service.restart', { count: containers.length })}</p>
    </ProposalDialog>
  )
}
