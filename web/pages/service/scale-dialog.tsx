import { useSignal } from '@preact/signals'
import type { Schemas } from '../../api/client'
import { ProposalDialog } from '../../approvals/proposal'
import { Choice, NumberField } from '../../parts/form'
import { say, sayEach } from '../../texts/say'

interface Props { service: Schemas['ServiceDetail'], onClose: () => void, onChange: () => void }

const choices = {
  refuse: 'service.auto.refuse',
  suspend: 'service.auto.suspend',
  adjust: 'service.auto.adjust',
  ignore: 'service.auto.ignore'
} as const

/** Takes a count, shows what it changes, and asks for approval of exactly that. */
export const ScaleDialog = ({ service, onClose, onChange }: Props) => {
  const count = useSignal(service.desired_count)
  const autoscaling = useSignal<keyof typeof choices>('refuse')
  const { autoscaling: bounds } = service
  const args = () => ({
    service: service.id,
    desired_count: count.value,
    ...(bounds ? { autoscaling: autoscaling.value } : {})
  })
  return (
    <ProposalDialog
      title={say('service.scale.of', { name: service.name })} name='scaleService' args={args} onDone={onChange}
      onClose={onClose}
      ready={count.value !== service.desired_count}
    >
      <NumberField label={say('service.desired')} value={count} min={0} max={500} />
      {bounds && <Choice
        label={say('service.auto', { min: bounds.min, max: bounds.max })} value={autoscaling} options={sayEach(choices)}
      />}
    </ProposalDialog>
  )
}
