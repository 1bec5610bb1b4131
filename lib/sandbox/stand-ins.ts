/** A Slack that is played on this machine: an app there, and what its people see. */
export interface SlackStandIn {
  apiUrl: string
  token: string
  signingSecret: string
  /** @returns the page of one person there: what they were sent, with its buttons */
  pageOf: (userId: string) => string
}

/** A server of mail that is played on this machine. */
export interface MailStandIn {
  url: string
  from: string
  /** @returns the page with the mails to one address */
  pageOf: (address: string) => string
}
