import { Badge } from './badge'
import { say } from '../texts/say'

/** What a cloud account is for, and that nothing can be changed through it: of itself or of what lies in it. */
export const AccountMarks = ({ of }: { of: { environment: string | null, read_only: boolean } }) => <>
  {of.environment && <Badge>{of.environment}</Badge>}{' '}
  {of.read_only && <Badge tone='warn'>{say('account.readOnly')}</Badge>}
</>
