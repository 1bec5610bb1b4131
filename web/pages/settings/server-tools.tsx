import { api, body, type Schemas } from '../../api/client'
import { useAction } from '../../api/action'
import { useResource } from '../../api/resource'
import { ActionButton } from '../../parts/action-button'
import { StateBadge } from '../../parts/badge'
import { ProblemNotice } from '../../parts/notice'
import { Loaded } from '../../parts/states'
import { Table } from '../../parts/table'
import { UnifiedDiff } from '../../parts/unified-diff'
import { say, type Key } from '../../texts/say'

type Tool = Schemas['ServerTool']
type Mode = Tool['mode']
const modes: Record<Mode, Key> = { ask: 'tools.ask', read: 'tools.read', off: 'tools.off' }

interface ToolProps { serverId: string, tool: Tool, onChange: () => void }

const paramsOf = ({ serverId, tool }: Pick<ToolProps, 'serverId' | 'tool'>) =>
  ({ path: { server_id: serverId, tool: tool.name } })

/** A select that takes effect at once. */
const ModeChoice = ({ serverId, tool, onChange }: ToolProps) => {
  const { run, busy, problem } = useAction(async (mode: Mode) => {
    await body(api.PATCH('/tool-servers/{server_id}/tools/{tool}', {
      params: paramsOf({ serverId, tool }), body: { mode }
    }))
    onChange()
  })
  return (
    <>
      {problem && <ProblemNotice problem={problem} />}
      <select
        aria-label={say('tools.how', { name: tool.called })} value={tool.mode} disabled={busy}
        // Its options are the modes.
        onChange={({ currentTarget }) => { void run(currentTarget.value as Mode) }}
      >{Object.entries(modes).map(([mode, label]) => <option key={mode} value={mode}>{say(label)}</option>)}
      </select>
    </>
  )
}

const Accept = ({ serverId, tool, onChange }: ToolProps) => {
  const accept = async () => {
    await body(api.PATCH('/tool-servers/{server_id}/tools/{tool}', {
      params: paramsOf({ serverId, tool }), body: { accept: tool.offered_hash ?? '' }
    }))
    onChange()
  }
  return (
<ActionButton
  variant='small primary' label={say('preference.acceptOne', { name: tool.called })} act={accept}
>{say('common.accept')}
</ActionButton>
  )
}

const Definition = ({ tool }: { tool: Tool }) => tool.diff
  ? <UnifiedDiff text={tool.diff} label={say('tools.changed', { name: tool.called })} />
  : <details open={tool.state === 'new'}><summary class='small'>{say('tools.definition')}</summary>
    <pre class='block small' tabIndex={0}>{tool.offered ?? tool.accepted}</pre>
  </details>

const Row = ({ isAdmin, ...props }: ToolProps & { isAdmin: boolean }) => {
  const { tool } = props
  const waits = tool.state === 'changed' || tool.state === 'new'
  return (
    <tr>
      <td><code>{tool.called}</code><Definition tool={tool} /></td>
      <td><StateBadge
        state={tool.state}
      />{tool.state !== 'accepted' && <div class='small muted'>{say('common.off')}</div>}
      </td>
      <td>{isAdmin ? <ModeChoice {...props} /> : say(modes[tool.mode])}</td>
      <td>{isAdmin && waits && <Accept {...props} />}</td>
    </tr>
  )
}

interface Props { server: Schemas['ToolServer'], isAdmin: boolean, onChange: () => void }

/** The tools of one server: how each runs, and what has changed in one since it was accepted. */
export const ServerTools = ({ server, isAdmin, onChange }: Props) => {
  const tools = useResource([server.id], async (signal) =>
    body(api.GET('/tool-servers/{server_id}/tools', { params: { path: { server_id: server.id } }, signal })))
  const changed = () => {
    tools.reload()
    onChange()
  }
  return (
    <Loaded of={tools}>
      {({ items }) => <Table columns={[
        say('common.tool'), say('common.state'), say('tools.runs'), { unseen: say('common.accept') }
      ]}
      >
        {items.map((tool) => <Row
          key={tool.name} serverId={server.id} tool={tool} isAdmin={isAdmin} onChange={changed}
        />)}
      </Table>}
    </Loaded>
  )
}
