import type { Keeping } from '../../parts/kept'
import { Notice } from '../../parts/notice'
import { say } from '../../texts/say'

/** Says that a form begins with what was typed before, and offers to begin anew; and what another tab has of it. */
export const KeptNotice = ({ of }: { of: Pick<Keeping<unknown>, 'wasKept' | 'other' | 'reset'> }) => <>
  {of.wasKept && <Notice
    action={<button type='button' class='small' onClick={of.reset}>{say('spec.kept.forget')}</button>}
  >{say('spec.kept.here')}
  </Notice>}
  {of.other && <Notice
    tone='warn'
    action={<button type='button' class='small' onClick={of.other.show}>{say('spec.kept.show')}</button>}
  >{say(of.other.isNewer ? 'spec.kept.newer' : 'spec.kept.other')}
  </Notice>}
</>
