import type { FastifyInstance } from 'fastify'

/** Where mail is handed in, and from whom it is. */
export interface MailServer { url: string, from: string }

/** @returns the host's server, or the one of the sandbox on this machine; undefined = no mail is sent */
export const mailServerOf = ({ config, sandbox }: Pick<FastifyInstance, 'config' | 'sandbox'>):
MailServer | undefined => {
  const { SMTP_URL: url, MAIL_FROM: from } = config
  return url !== undefined && from !== undefined ? { url, from } : sandbox.mail
}
