import { useSignal } from '@preact/signals'
import { Download } from '../../parts/icons'
import { baseUrl } from '../../api/client'
import { Dialog } from '../../parts/dialog'
import { Choice } from '../../parts/form'
import { layouts } from './layouts'
import type { Session } from './index'
import { say } from '../../texts/say'

/** The current version as a file; the same version gives the same bytes. */
export const ExportDialog = ({ session, onClose }: { session: Session, onClose: () => void }) => {
  const layout = useSignal<keyof typeof layouts>('markdown')
  return (
    <Dialog title={say('spec.export')} onClose={onClose}>
      <Choice label={say('spec.form')} value={layout} options={layouts} />
      <div class='actions'>
        <button type='button' onClick={onClose}>{say('proposal.close')}</button>
        <a
          class='button primary' download
          href={`${baseUrl}/pse/sessions/${session.session_id}/export?layout=${layout.value}`}
        ><Download size={16} aria-hidden='true' />{say('spec.download', { version: String(session.current_version) })}
        </a>
      </div>
    </Dialog>
  )
}
