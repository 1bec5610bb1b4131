import { useSignal } from '@preact/signals'
import { api, body } from '../../../api/client'
import { useResource } from '../../../api/resource'
import { ConfirmDialog } from '../../../parts/confirm-dialog'
import { Send } from '../../../parts/icons'
import { Empty, Loaded } from '../../../parts/states'
import { AddChannel } from './add'
import { ChannelCard } from './card'
import { AllDeadLetters } from './dead-letters'
import { me } from '../../../shell/session'
import type { Channel } from './words'
import { say } from '../../../texts/say'

/** A link is made elsewhere, and a channel fails by itself. */
const everyMs = 5_000

/** Where I hear of what waits for me and of what has ended. */
export default function Channels () {
  const removing = useSignal<Channel | undefined>(undefined)
  const channels = useResource([], (signal) => body(api.GET('/account/channels', { signal })), { every: everyMs })
  const { reload } = channels
  const remove = async () => {
    const params = { path: { channel_id: removing.value?.id ?? '' } }
    await body(api.DELETE('/account/channels/{channel_id}', { params }))
    reload()
  }
  return (
    <div class='stack'>
      <p>{say('channel.words')}
      </p>
      <Loaded of={channels}>{({ items, kinds, push_key: pushKey }) => <>
        <AddChannel kinds={kinds} pushKey={pushKey} channels={items} onChange={reload} />
        {items.length === 0 && <div class='card'><Empty icon={Send} title={say('channel.none')}>
          <p>{say('channel.none.words')}</p>
        </Empty>
        </div>}
        {items.map((channel) => <ChannelCard
          key={channel.id} channel={channel} onChange={reload} onRemove={() => { removing.value = channel }}
        />)}
      </>}
      </Loaded>
      {me.value?.role === 'admin' && <AllDeadLetters />}
      {removing.value && <ConfirmDialog
        title={say('channel.remove')} verb={say('common.remove')} act={remove}
        onClose={() => { removing.value = undefined }}
      >{say('channel.remove.words', { name: removing.value.name })}
      </ConfirmDialog>}
    </div>
  )
}
