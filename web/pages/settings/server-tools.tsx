import { api, body, type Schemas } from '../../api/client'
import { useAction } from '../../api/action'
import { useResource } from '../../api/resource'
import { ActionButton } from '../../parts/action-button'
import { StateBadge } from '../../parts/badge'
import { ProblemNotice } from '../../parts/notice'
import { Loaded } from '../../parts/states'
import { Table } from '../../parts/table'
import { UnifiedDiff } from '../../parts/unified-diff'

type Tool = Schemas['ServerTool']
type Mode = Tool['mode']
const modes: Record<Mode, string> = { ask: 'Ask each time', read: 'Run at once', off: 'Off' }

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
        aria-label={`How ${tool.called} runs`} value={tool.mode} disabled={busy}
        // Its options are the modes.
        onChange={({ currentTarget }) => { void run(currentTarget.value as Mode) }}
      >{Object.entries(modes).map(([mode, label]) => <option key={mode} value={mode}>{label}</option>)}
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
  return <ActionButton variant='small primary' label={`Accept ${tool.called}`} act={accept}>Accept</ActionButton>
}

const Definition = ({ tool }: { tool: Tool }) => tool.diff
  ? <UnifiedDiff text={tool.diff} label={`What has changed in ${tool.called}`} />
  : <details open={tool.state === 'new'}><summary class='small'>Definition</summary>
    <pre class='block small' tabIndex={0}>{tool.offered ?? tool.accepted}</pre>
  </details>

const Row = ({ isAdmin, ...props }: ToolProps & { isAdmin: boolean }) => {
  const { tool } = props
  const waits = tool.state === 'changed' || tool.state === 'new'
  return (
    <tr>
      <td><code>{tool.called}</code><Definition tool={tool} /></td>
      <td><StateBadge state={tool.state} />{tool.state !== 'accepted' && <div class='small muted'>off</div>}</td>
      <td>{isAdmin ? <ModeChoice {...props} /> : modes[tool.mode]}</td>
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
      {({ items }) => <Table columns={['Tool', 'State', 'Runs', { unseen: 'Accept' }]}>
        {items.map((tool) => <Row
          key={tool.name} serverId={server.id} tool={tool} isAdmin={isAdmin} onChange={changed}
        />)}
      </Table>}
    </Loaded>
  )
}
