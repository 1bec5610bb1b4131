import { useSignal } from '@preact/signals'
import { useLocation } from 'wouter-preact'
import type { Schemas } from '../../api/client'
import { ProposalDialog } from '../../approvals/proposal'
import { say } from '../../texts/say'

/** Deploys the image of this build again. */
export const Rollback = ({ build }: { build: Schemas['Build'] }) => {
  const open = useSignal(false)
  const [, navigate] = useLocation()
  return (
    <>
      <button type='button' onClick={() => { open.value = true }}>{say('build.rollBack')}</button>
      {open.value && <ProposalDialog
        title={say('build.rollBack.of', { number: String(build.number) })} name='rollbackBuild'
        args={() => ({ app_id: build.app_id, build_id: build.id })}
        onDone={() => navigate(`/apps/${build.app_id}`)} onClose={() => { open.value = false }}
      >
        <p>{say('build.rollBack.words', { number: String(build.number) })}</p>
      </ProposalDialog>}
    </>
  )
}
