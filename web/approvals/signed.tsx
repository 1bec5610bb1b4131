import { KeyRound } from '../parts/icons'
import type { Approval } from './approval'

type Shown = Pick<Approval, 'requirement' | 'status'>

/** Says that an approval is a signature. */
export const Signed = ({ of: { requirement, status } }: { of: Shown }) =>
  requirement?.signed === true && status === 'pending'
    ? <p class='small muted'><KeyRound size={16} /> To approve it, you sign this plan with your passkey.</p>
    : null
