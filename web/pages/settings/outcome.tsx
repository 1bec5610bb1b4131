import type { Schemas } from '../../api/client'
import { Badge } from '../../parts/badge'
import { sayKnown } from '../../texts/say'

/** Names of people, by their ids. */
export type Names = Record<string, string>

const bad = /^(failed|unknown|rejected|expired|denied)$/
const open = /^(pending|sent)$/

/** How an entry of the record ended: a request that was refused has the code of the error. */
export const Outcome = ({ entry: { kind, outcome } }: { entry: Schemas['AuditEntry'] }) => {
  const isRefused = kind === 'direct' && outcome !== 'succeeded'
  const tone = bad.test(outcome) || isRefused ? 'bad' : 'good'
  return <Badge tone={open.test(outcome) ? 'warn' : tone}>{sayKnown(`state.${outcome}`) ?? outcome}</Badge>
}
