import { defineError } from '../../../schemas/errors.js'

export const ToolServerNotFound = defineError('tool_server_not_found', 'There is no such tool server', 404)
export const ServerToolNotFound = defineError('server_tool_not_found', 'The tool server has no such tool', 404)
export const ToolServerNameTaken = defineError('tool_server_name_taken', 'Another tool server has this name', 409)
export const TooManyToolServers = defineError('too_many_tool_servers', 'There are as many tool servers as may be', 409)
export const StaleDefinition = defineError('stale_definition', 'The server offers another definition now', 409)
export const ServerToolOff = defineError('server_tool_off', 'The tool is off', 409)
export const ServerToolChanged = defineError('server_tool_changed',
  'The server\'s tool is not what was accepted: it is off until an admin accepts it', 409)
export const ServerToolNotApproved = defineError('server_tool_not_approved',
  'The tool asks a person first, and none was asked', 409)
export const ToolServerRefused = defineError('tool_server_refused', 'The tool server cannot be asked', 422)
export const NotAToolServer = defineError('not_a_tool_server', 'What answers there is no MCP server', 422)
export const ServerArgumentsInvalid = defineError('server_arguments_invalid', 'The arguments do not fit the tool', 422)
export const ServerToolFailed = defineError('server_tool_failed', 'The server says that the tool failed', 422)
export const ToolServerUnreachable = defineError('tool_server_unreachable', 'The tool server does not answer', 502)
export const ServerToolNoReply = defineError('server_tool_no_reply',
  'The tool was called, and no reply came that can be read', 504)
