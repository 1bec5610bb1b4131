import { Notice } from '../../parts/notice'
import { listDrafts } from './drafts'
import { labelOf } from './editor'
import type { Written } from './index'
import { say } from '../../texts/say'

/** Offers what was typed in this browser and not saved. Its editor saves it, or throws it away. */
export const KeptParts = ({ session, version, edit }: Written) => {
  const targets = listDrafts(session.session_id)
  return targets.length === 0
    ? null
    : <Notice
      action={<div class='row tight'>{targets.map((target) => {
        const label = labelOf(version.document, target)
        return (
            <button
              key={target} type='button' class='small' aria-label={say('spec.kept.take', { part: label })}
              onClick={() => { edit(target) }}
            >{label}
            </button>
        )
      })}
      </div>}
    >{say('spec.kept')}
    </Notice>
}
