import { Notice } from '../../parts/notice'
import { say } from '../../texts/say'

/** Says that a form begins with what was typed before, and offers to begin anew. */
export const KeptNotice = ({ onForget }: { onForget: () => void }) => <Notice
  action={<button type='button' class='small' onClick={onForget}>{say('spec.kept.forget')}</button>}
>{say('spec.kept.here')}
</Notice>
