import { useSignal } from '@preact/signals'
import { useLocation } from 'wouter-preact'
import type { Schemas } from '../../api/client'
import { ProposalDialog } from '../../approvals/proposal'

/** Deploys the image of this build again. */
export const Rollback = ({ build }: { build: Schemas['Build'] }) => {
  const open = useSignal(false)
  const [, navigate] = useLocation()
  return (
    <>
      <button type='button' onClick={() => { open.value = true }}>Roll back to this</button>
      {open.value && <ProposalDialog
        title={`Roll back to build #${build.number}`} name='rollbackBuild'
        args={() => ({ app_id: build.app_id, build_id: build.id })}
        onDone={() => navigate(`/apps/${build.app_id}`)} onClose={() => { open.value = false }}
      >
        <p>What build #{build.number} deployed is deployed once more, as a build of its own.</p>
      </ProposalDialog>}
    </>
  )
}
