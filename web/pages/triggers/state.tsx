import type { Schemas } from '../../api/client'
import { Badge } from '../../parts/badge'
import { formatReason } from './words'
import { say } from '../../texts/say'

type Props = { trigger: Pick<Schemas['Trigger'], 'enabled' | 'off_reason'> }

/** Whether a trigger works, was paused by its person, or was turned off by Steward, and why. */
export const TriggerState = ({ trigger: { enabled, off_reason: reason } }: Props) => {
  if (enabled) return <Badge tone='good'>{say('trigger.active')}</Badge>
  if (reason === null) return <Badge>{say('trigger.paused')}</Badge>
  return (
<><Badge
  tone='warn'
>{say('trigger.turnedOff')}
</Badge> <span class='small muted'>{formatReason(reason)}</span>
</>
  )
}
