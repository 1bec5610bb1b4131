import type { Deps } from '../deps.js'

type Configured = Pick<Deps, 'config' | 'sandbox'>

/** A Slack app: the host's, or the one of the sandbox on this machine. */
export interface SlackApp {
  token: string
  /** The current one, then the previous one while rotating. */
  signingSecrets: string[]
  apiUrl: string | undefined
}

export const slackAppOf = ({ config, sandbox: { slack } }: Configured): SlackApp | undefined => {
  const { SLACK_BOT_TOKEN: token, SLACK_SIGNING_SECRET: secrets, SLACK_API_URL: apiUrl } = config
  if (token !== undefined && secrets !== undefined) return { token, signingSecrets: secrets.split(','), apiUrl }
  return slack && { token: slack.token, signingSecrets: [slack.signingSecret], apiUrl: slack.apiUrl }
}

/** @returns where the sandbox shows what it received; null = what is sent there goes to the world */
export const sandboxPageOf = ({ sandbox: { slack, mail } }: Pick<Deps, 'sandbox'>,
  { kind, user_id: userId, address }: { kind: string, user_id: string, address: string }): string | null => {
  if (kind === 'slack') return slack?.pageOf(userId) ?? null
  return kind === 'email' ? mail?.pageOf(address) ?? null : null
}
