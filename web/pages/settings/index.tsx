import { PageHead } from '../../parts/page-head'
import { Tabs } from '../../parts/tabs'
import { me } from '../../shell/session'
import { Connections } from './connections'
import { Members } from './members'
import { Preferences } from './preferences'
import { Tokens } from './tokens'

const parts = { tokens: Tokens, preferences: Preferences, members: Members, connections: Connections }
const labels = { tokens: 'API tokens', preferences: 'Preferences', members: 'Members', connections: 'Connections' }
type Part = keyof typeof parts

const isPart = (text: string): text is Part => text in parts

export default function SettingsPage ({ tab = 'tokens' }: { tab?: string }) {
  const shown: Part = isPart(tab) ? tab : 'tokens'
  const Shown = parts[shown]
  // Only admins may list the members.
  const seen = Object.keys(parts).filter(isPart).filter((part) => part !== 'members' || me.value?.user.role === 'admin')
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
