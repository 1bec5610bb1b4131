import { Notice } from '../../parts/notice'
import { listDrafts } from './drafts'
import { labelOf } from './editor'
import type { Written } from './index'
import { say } from '../../texts/say'

interface OfferProps extends Pick<Written, 'version' | 'edit'> { target: string }

const Offer = ({ version, edit, target }: OfferProps) => {
  const part = labelOf(version.document, target)
  return (
    <button type='button' class='small' aria-label={say('spec.kept.take', { part })} onClick={() => { edit(target) }}>
      {part}
    </button>
  )
}

/** Offers what was typed in this browser and not saved. Its editor saves it, or throws it away. */
export const KeptParts = ({ session, version, edit }: Written) => {
  const targets = listDrafts(session.session_id)
  return targets.length === 0
    ? null
    : <Notice>
      <div class='row tight'>{say('spec.kept')}{targets.map((target) =>
        <Offer key={target} version={version} edit={edit} target={target} />)}
      </div>
    </Notice>
}
