import type { ComponentType } from 'preact'
import { api, body } from '../../api/client'
import { useResource } from '../../api/resource'
import { PageHead } from '../../parts/page-head'
import { Tabs } from '../../parts/tabs'
import { lazy } from '../../shell/lazy'
import { me } from '../../shell/session'
import { Assistants } from './assistants'
import { Away } from './away'
import { Connections } from './connections'
import { Grants } from './grants'
import { Groups } from './groups'
import { Members } from './members'
import { Passkeys } from './passkeys'
import { Preferences } from './preferences'
import { RecordPart } from './record'
import { Tokens } from './tokens'
import { ToolServers } from './tool-servers'
import { WorkspaceName } from './workspace-name'
import { Workspaces } from './workspaces'

/** `of`: the group or the person whose page it is. */
interface PartProps { of?: string | undefined }

const parts = {
  tokens: Tokens,
  assistants: Assistants,
  channels: lazy<PartProps>(() => import('./channels')),
  passkeys: Passkeys,
  preferences: Preferences,
  away: Away,
  grants: Grants,
  members: Members,
  groups: Groups,
  identity: lazy<PartProps>(() => import('./identity')),
  policies: lazy<PartProps>(() => import('./policies')),
  connections: Connections,
  tools: ToolServers,
  record: RecordPart,
  workspaces: Workspaces
}
const labels = {
  tokens: 'API tokens',
  assistants: 'Connected assistants',
  channels: 'Channels',
  passkeys: 'Passkeys',
  preferences: 'Preferences',
  away: 'While I am away',
  grants: 'Grants',
  members: 'People',
  groups: 'Groups',
  identity: 'Sign-in',
  policies: 'Policies',
  connections: 'Connections',
  tools: 'Tool servers',
  record: 'Record',
  workspaces: 'Workspaces'
}
type Part = keyof typeof parts

const isPart = (text: string): text is Part => text in parts

export default function SettingsPage ({ tab = 'tokens', of }: { tab?: string | undefined, of?: string | undefined }) {
  const shown: Part = isPart(tab) ? tab : 'tokens'
  const Shown: ComponentType<PartProps> = parts[shown]
  const isAdmin = me.value?.role === 'admin'
  // The workspaces are there for the admins of the installation: for all others they are not found.
  const { data: found } = useResource([isAdmin], async (signal) =>
    isAdmin ? body(api.GET('/account/workspaces', { params: { query: { limit: 1 } }, signal })) : undefined)
  // Only admins may list the members and read the record.
  const allowed: Partial<Record<Part, boolean>> = {
    members: isAdmin,
    groups: isAdmin,
    identity: isAdmin,
    policies: isAdmin,
    record: isAdmin,
    workspaces: found !== undefined
  }
  const seen = Object.keys(parts).filter(isPart).filter((part) => allowed[part] ?? true)
  return (
    <div class='page'>
      <PageHead title='Settings'><WorkspaceName /></PageHead>
      <Tabs
        label='Parts of the settings' current={`/settings/${shown}`}
        tabs={seen.map((part) => [labels[part], `/settings/${part}`])}
      />
      <Shown of={of} />
    </div>
  )
}
