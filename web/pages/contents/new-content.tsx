import { useSignal } from '@preact/signals'
import { useLocation } from 'wouter-preact'
import { api, body } from '../../api/client'
import { Choice, TextField } from '../../parts/form'
import { FormDialog } from '../../parts/form-dialog'
import { ProjectChoice } from '../../parts/project-choice'
import { channels, networks, type Channel, type Network } from './channels'
import { say, sayEach } from '../../texts/say'

/** Creates a record with a title; its page has the editor. */
export const NewContent = ({ onClose }: { onClose: () => void }) => {
  const [, navigate] = useLocation()
  const project = useSignal('')
  const title = useSignal('')
  const channel = useSignal<Channel>('blog')
  const network = useSignal<Network>('linkedin')
  const create = async () => {
    const post = { network: network.value, fields: { posts: [{ text: title.value }] } }
    const networkOf = channel.value === 'social' ? post : {}
    const made = await body(api.POST('/content', {
      body: { project_id: project.value, title: title.value, channel: channel.value, ...networkOf }
    }))
    navigate(`/content/${made.id}/edit`)
  }
  return (
    <FormDialog
      title={say('contents.new')} verb={say('common.create')} act={create} onClose={onClose}
      ready={project.value !== ''}
    >
      <ProjectChoice value={project} />
      <TextField label={say('contents.title')} value={title} required maxLength={200} />
      <Choice label={say('contents.channel')} value={channel} options={sayEach(channels)} />
      {channel.value === 'social' &&
        <Choice label={say('contents.network')} value={network} options={sayEach(networks)} />}
    </FormDialog>
  )
}
