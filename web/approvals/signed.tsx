import { KeyRound } from '../parts/icons'
import type { Approval } from './approval'
import { say } from '../texts/say'

type Shown = Pick<Approval, 'requirement' | 'status'>

/** Says that an approval is a signature. */
export const Signed = ({ of: { requirement, status } }: { of: Shown }) =>
  requirement?.signed === true && status === 'pending'
    ? <p class='small muted'><KeyRound size={16} /> {say('approval.signed')}</p>
    : null
