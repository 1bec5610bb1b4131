import { useSignal } from '@preact/signals'
import { api, body } from '../../api/client'
import { useResource } from '../../api/resource'
import { Crumbs } from '../../parts/crumbs'
import { Notice } from '../../parts/notice'
import { PageHead } from '../../parts/page-head'
import { Loaded } from '../../parts/states'
import { TriggerState } from '../triggers/state'
import { formatReason } from '../triggers/words'
import { Actions } from './actions'
import { Facts } from './facts'
import { Firings } from './firings'
import { say } from '../../texts/say'

/** One schedule or trigger. */
export default function TriggerPage ({ id }: { id: string }) {
  const stamp = useSignal(0)
  const trigger = useResource([id], (signal) =>
    body(api.GET('/api/v1/agent/triggers/{trigger_id}', { params: { path: { trigger_id: id } }, signal })),
  { every: 15_000 })
  const onRun = () => {
    stamp.value++
    trigger.reload()
  }
  return (
    <div class='page'>
      <Crumbs to={[[say('nav.automations'), '/triggers']]} />
      <Loaded of={trigger}>{(data) => <>
        <PageHead
          title={data.name} actions={<Actions trigger={data} onChange={trigger.reload} onRun={onRun} />}
        ><TriggerState trigger={data} />
        </PageHead>
        {data.off_reason && <Notice tone='warn'>
          {say('trigger.offNow', { reason: formatReason(data.off_reason) })}
        </Notice>}
        <Facts trigger={data} />
        <Firings id={id} stamp={stamp.value} />
      </>}
      </Loaded>
    </div>
  )
}
