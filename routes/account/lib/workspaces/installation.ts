import type { FastifyInstance, FastifyRequest } from 'fastify'
import { nameOfHost } from '../../../../lib/http/host-names.js'
import type { Request } from './workspaces.js'

/** @returns the host name of the installation's own address; undefined without PUBLIC_URL */
export const ownHost = ({ config: { PUBLIC_URL: url } }: Pick<FastifyInstance, 'config'>): string | undefined =>
  url === undefined ? undefined : nameOfHost(new URL(url).host)

/** @returns who asks for a change of another workspace, and from where: its audit shows it */
export const requestOf = ({ principal, ip, id }: FastifyRequest): Request =>
  ({ by: principal, address: ip, requestId: id })
