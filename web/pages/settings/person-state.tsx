import type { Schemas } from '../../api/client'
import { Badge, StateBadge } from '../../parts/badge'
import { say } from '../../texts/say'

/** Who was invited and has never come is not active yet, whatever may be done as that person. */
export const PersonState = ({ of: { status, first_sign_in_at: came } }: { of: Schemas['User'] }) =>
  status === 'active' && !came ? <Badge tone='info'>{say('member.invited')}</Badge> : <StateBadge state={status} />
