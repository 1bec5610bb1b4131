import type { Schemas } from '../../api/client'
import { filled, optional, type Cell } from '../../parts/cell'
import { Choice } from '../../parts/form'
import { ListEditor } from '../../parts/list-editor'
import { channels, networks, type Channel } from '../contents/channels'
import { say, sayEach } from '../../texts/say'

type BriefChannel = Schemas['BriefChannel']
const lengths = {
  short: 'brief.length.short', medium: 'brief.length.medium', long: 'brief.length.long'
} as const

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
  label={say('brief.channels')} one={say('brief.channel.one')} of={of}
  blank={(): BriefChannel => ({ channel: 'blog', length: 'medium' })}
>
  {(entry) => <>
    <Choice label={say('contents.channel')} value={channelOf(entry)} options={sayEach(channels)} />
    {entry.value.channel === 'social' && <Choice
      label={say('contents.network')} value={filled(entry, 'network', 'linkedin')} options={sayEach(networks)}
    />}
    <Choice label={say('brief.length')} value={optional(entry, 'length', 'medium')} options={sayEach(lengths)} />
  </>}
</ListEditor>
