import { insertAudit } from '../../../db/audit.js'
import { findLinked } from '../../../db/channels/channels.js'
import type { Click } from '../../../schemas/channels/slack.js'
import type { Deps } from './deps.js'
import { SlackSignatureInvalid } from './errors.js'
import { whisper } from './send/send-slack.js'

/**
 * A click that was taken before arrived again and was refused. Slack did sign it, so its person can be named: the
 * record has it, and they are notified. Of a forged one nothing is believed, the name neither.
 */
export const noteReplay = async (deps: Deps, click: Click): Promise<void> => {
  const { value: { workspace_id: workspaceId, confirmation_id: target }, address, origin } = click
  const linked = await findLinked(deps.db, workspaceId, address)
  if (!linked) return
  await insertAudit(deps.db, {
    workspace_id: workspaceId,
    user_id: linked.user_id,
    via: 'browser',
    operation: 'receiveSlackInteraction',
    target,
    outcome: SlackSignatureInvalid.code,
    status: 401,
    ...origin
  })
  deps.unnumbered.soon(workspaceId)
  await whisper(deps, click, 'A click of yours arrived a second time, which Slack does not do. It was refused.')
}
