import { Link } from 'wouter-preact'
import type { Schemas } from '../../api/client'
import { Preview } from '../../approvals/preview'
import { Zap } from '../../parts/icons'
import { me } from '../../shell/session'
import { say, sayWith } from '../../texts/say'
import { translate } from '../../texts/translate'

/** What allowed a call, in words. */
const By = ({ by }: { by: string }) => {
  const [, version, names = ''] = /^policy:v(\d+):(.*)$/.exec(by) ?? []
  if (version !== undefined) {
    const words = say('who.policy', { count: names.split(',').length, names: names.split(',').join(', '), version })
    return me.value?.role === 'admin' ? <Link href='/settings/policies'>{words}</Link> : <>{words}</>
  }
  return by.startsWith('grant:') ? <Link href='/settings/grants'>{say('chat.unasked.grant')}</Link> : <>{by}</>
}

interface Props { by: string, plan: Schemas['UnaskedPlan'] | undefined }

/** That a write ran without a question, what let it, and what it was to change. */
export const Unasked = ({ by, plan }: Props) => <div class='stack tight'>
  <p class='small'>
    <Zap size={14} aria-hidden='true' /> {sayWith('chat.unasked', { by: <By by={by} /> })}
    {plan && `: ${translate('plans', plan.summary)}`}
  </p>
  {plan && <Preview rows={plan.preview} />}
</div>
