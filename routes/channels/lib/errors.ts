import { defineError } from '../../../schemas/errors.js'

export const ChannelNotFound = defineError('channel_not_found', 'There is no such channel', 404)
export const DeliveryNotFound = defineError('delivery_not_found', 'There is no such dead delivery', 404)
export const ChannelInvalid = defineError('channel_invalid', 'It cannot be a channel', 422)
export const ChannelNotConfigured = defineError('channel_not_configured', 'The host has not set this kind up', 409)
export const ChannelUnconfirmed = defineError('channel_unconfirmed', 'Its code was not shown yet', 409)
export const CodeInvalid = defineError('channel_code_invalid', 'It is not the code, or no longer', 422)
export const SlackSignatureInvalid = defineError('slack_signature_invalid', 'Slack did not sign it, or not now', 401)
export const LinkOfAnother = defineError('link_of_another', 'The link was sent to another person, who is notified', 403)
export const SlackNotConfigured = defineError('slack_not_configured', 'There is no Slack app here', 404)
export const TooManyChannels = defineError('too_many_channels', 'A person has at most 10 channels', 409)
