import { Badge } from '../parts/badge'
import { say } from '../texts/say'
import type { Approval } from './approval'

const tones = { low: 'plain', medium: 'warn', high: 'bad' } as const
const names = { low: 'risk.low', medium: 'risk.medium', high: 'risk.high' } as const

export const RiskBadge = ({ risk }: Pick<Approval, 'risk'>) => <Badge tone={tones[risk]}>{say(names[risk])}</Badge>
