import { api, body } from '../../api/client'
import { useResource } from '../../api/resource'
import { PageHead } from '../../parts/page-head'
import { Tabs } from '../../parts/tabs'
import { me } from '../../shell/session'
import { Connections } from './connections'
import { Members } from './members'
import { Preferences } from './preferences'
import { Tokens } from './tokens'
import { Workspaces } from './workspaces'

const parts = {
  tokens: Tokens, preferences: Preferences, members: Members, connections: Connections, workspaces: Workspaces
}
const labels = {
  tokens: 'API tokens',
  preferences: 'Preferences',
  members: 'Members',
  connections: 'Connections',
  workspaces: 'Workspaces'
}
type Part = keyof typeof parts

const isPart = (text: string): text is Part => text in parts

export default function SettingsPage ({ tab = 'tokens' }: { tab?: string }) {
  const shown: Part = isPart(tab) ? tab : 'tokens'
  const Shown = parts[shown]
  const isAdmin = me.value?.user.role === 'admin'
  // The workspaces are there for the admins of the installation: for all others they are not found.
  const { data: found } = useResource([isAdmin], async (signal) =>
    isAdmin ? body(api.GET('/account/workspaces', { params: { query: { limit: 1 } }, signal })) : undefined)
  // Only admins may list the members.
  const allowed: Partial<Record<Part, boolean>> = { members: isAdmin, workspaces: found !== undefined }
  const seen = Object.keys(parts).filter(isPart).filter((part) => allowed[part] ?? true)
  return (
    <div class='page'>
      <PageHead title='Settings'>{me.value?.workspace.name}</PageHead>
      <Tabs
        label='Parts of the settings' current={`/settings/${shown}`}
        tabs={seen.map((part) => [labels[part], `/settings/${part}`])}
      />
      <Shown />
    </div>
  )
}
