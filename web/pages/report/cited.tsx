import { Link } from 'wouter-preact'
import { api, body } from '../../api/client'
import { useResource } from '../../api/resource'
import { StateBadge } from '../../parts/badge'
import { Dialog } from '../../parts/dialog'
import { formatOperation } from '../../parts/label'
import { Loaded } from '../../parts/states'
import { Json } from '../../parts/value'
import { CallDetails } from '../chat/call-card'
import { say } from '../../texts/say'
import '../chat/chat.css'
import './report.css'

const Close = ({ onClose }: { onClose: () => void }) => <div class='actions'>
  <button type='button' onClick={onClose}>{say('common.close')}</button>
</div>

/** The stored call that a sentence cites, with its result. */
export const CitedCall = ({ id, number, onClose }: { id: string, number: number, onClose: () => void }) => {
  const call = useResource([id], (signal) => body(api.GET('/api/v1/agent/tool-calls/{tool_call_id}',
    { params: { path: { tool_call_id: id } }, signal })))
  return (
    <Dialog title={say('report.result', { number })} onClose={onClose}>
      <Loaded of={call}>{(data) => <>
        <p><strong>{formatOperation(data.name)}</strong> <StateBadge state={data.status} />{' '}
          <Link href={`/chat/${data.session_id}`}>{say('report.session')}</Link>
        </p>
        <div class='cited-result' tabIndex={0} role='region' aria-label={say('report.call')}>
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
  title={isForeign ? say('report.theAlert') : say('report.cause')} onClose={onClose}
>
  {isForeign && <p class='small muted'>{say('report.asSent')}</p>}
  <Json value={alert} />
  <Close onClose={onClose} />
</Dialog>
