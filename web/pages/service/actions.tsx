import { useSignal } from '@preact/signals'
import { ProposalButton } from '../../approvals/proposal-button'
import { History, Rocket, Scaling } from '../../parts/icons'
import type { Schemas } from '../../api/client'
import { DeployDialog } from './deploy-dialog'
import { ScaleDialog } from './scale-dialog'
import { say } from '../../texts/say'

interface Props { service: Schemas['ServiceDetail'], onChange: () => void }

/** The changes that a person may make to the service; each shows a preview first. */
export const Actions = ({ service, onChange }: Props) => {
  const open = useSignal<'deploy' | 'scale' | undefined>(undefined)
  const close = () => { open.value = undefined }
  return (
    <>
      {service.deployable && <ProposalButton
        title={say('service.rollBack.of', { name: service.name })} name='deployService' onDone={onChange}
        args={() => ({ service: service.id, rollback_to: 'previous' })}
      ><History size={16} aria-hidden='true' />{say('service.rollBack')}
      </ProposalButton>}
      <button type='button' disabled={service.scheduling === 'DAEMON'} onClick={() => { open.value = 'scale' }}>
        <Scaling size={16} aria-hidden='true' />{say('service.scale')}
      </button>
      <button type='button' class='primary' disabled={!service.deployable} onClick={() => { open.value = 'deploy' }}>
        <Rocket size={16} aria-hidden='true' />{say('service.deploy')}
      </button>
      {open.value === 'scale' && <ScaleDialog service={service} onClose={close} onChange={onChange} />}
      {open.value === 'deploy' && <DeployDialog service={service} onClose={close} onChange={onChange} />}
    </>
  )
}
