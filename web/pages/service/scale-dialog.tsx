import { useSignal } from '@preact/signals'
import type { Schemas } from '../../api/client'
import { ProposalDialog } from '../../approvals/proposal'
import { Choice, NumberField } from '../../parts/form'

interface Props { service: Schemas['ServiceDetail'], onClose: () => void, onChange: () => void }

const choices = {
  refuse: 'Refuse if autoscaling would undo it',
  suspend: 'Suspend autoscaling',
  adjust: 'Move the bounds of autoscaling',
  ignore: 'Scale, and leave autoscaling as it is'
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
      title={`Scale ${service.name}`} name='scaleService' args={args} onDone={onChange} onClose={onClose}
      ready={count.value !== service.desired_count}
    >
      <NumberField label='Desired count' value={count} min={0} max={500} />
      {bounds && <Choice
        label={`Autoscaling keeps it between ${bounds.min} and ${bounds.max}`} value={autoscaling} options={choices}
      />}
    </ProposalDialog>
  )
}
