import type { Schemas } from '../../api/client'
import { filled, optional, type Cell } from '../../parts/cell'
import { Choice } from '../../parts/form'
import { ListEditor } from '../../parts/list-editor'
import { channels, networks, type Channel } from '../contents/channels'

type BriefChannel = Schemas['BriefChannel']
const lengths = { short: 'Short', medium: 'Medium', long: 'Long' } as const

/** Only social posts have a network, which is required. */
const channelOf = (of: Cell<BriefChannel>): Cell<Channel> => ({
  get value () { return of.value.channel },
  set value (channel) {
    const { network, ...rest } = of.value
    of.value = { ...rest, channel, ...(channel === 'social' ? { network: network ?? 'linkedin' } : {}) }
  }
})

/** The channels; each gets one draft. */
export const BriefChannels = ({ of }: { of: Cell<BriefChannel[]> }) => <ListEditor
  label='Channels' one='channel' of={of} blank={(): BriefChannel => ({ channel: 'blog', length: 'medium' })}
>
  {(entry) => <>
    <Choice label='Channel' value={channelOf(entry)} options={channels} />
    {entry.value.channel === 'social' &&
      <Choice label='Network' value={filled(entry, 'network', 'linkedin')} options={networks} />}
    <Choice label='Length' value={optional(entry, 'length', 'medium')} options={lengths} />
  </>}
</ListEditor>
