import { Link } from 'wouter-preact'
import { api, body } from '../../api/client'
import { useResource } from '../../api/resource'
import { StateBadge } from '../../parts/badge'
import { Dialog } from '../../parts/dialog'
import { formatLabel } from '../../parts/label'
import { Loaded } from '../../parts/states'
import { Json } from '../../parts/value'
import { CallDetails } from '../chat/call-card'
import '../chat/chat.css'
import './report.css'

const Close = ({ onClose }: { onClose: () => void }) => <div class='actions'>
  <button type='button' onClick={onClose}>Close</button>
</div>

/** The stored call that a sentence cites, with its result. */
export const CitedCall = ({ id, number, onClose }: { id: string, number: number, onClose: () => void }) => {
  const call = useResource([id], (signal) => body(api.GET('/api/v1/agent/tool-calls/{tool_call_id}',
    { params: { path: { tool_call_id: id } }, signal })))
  return (
    <Dialog title={`Result ${number}`} onClose={onClose}>
      <Loaded of={call}>{(data) => <>
        <p><strong>{formatLabel(data.name)}</strong> <StateBadge state={data.status} />{' '}
          <Link href={`/chat/${data.session_id}`}>Open its session</Link>
        </p>
        <div class='cited-result' tabIndex={0} role='region' aria-label='Its arguments and its result'>
          <CallDetails call={data} />
        </div>
      </>}
      </Loaded>
      <Close onClose={onClose} />
    </Dialog>
  )
}

interface AlertProps { alert: unknown, isForeign: boolean, onClose: () => void }

/** What began the run. */
export const CitedAlert = ({ alert, isForeign, onClose }: AlertProps) => <Dialog
  title={isForeign ? 'The alert' : 'What set it off'} onClose={onClose}
>
  {isForeign && <p class='small muted'>As its sender sent it: nobody has checked it.</p>}
  <Json value={alert} />
  <Close onClose={onClose} />
</Dialog>
