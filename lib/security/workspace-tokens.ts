import type { FastifyInstance } from 'fastify'
import { freshToken, readToken, type FreshToken, type TokenKind } from './tokens.js'

type Deps = Pick<FastifyInstance, 'home'>

/**
 * @param digest from which the token follows; without it, it is random
 * @returns a new token of the workspace, which says whose it is
 */
export const issueToken = ({ home }: Deps, kind: TokenKind, workspaceId: string, digest?: Buffer): FreshToken =>
  freshToken(kind, workspaceId === home.workspace_id ? null : workspaceId, digest)

/** In which workspace a credential is looked up, and by what. Whether that one knows it, a query says. */
export interface TokenKey { workspaceId: string, hash: Buffer }

/** @returns undefined for what is no token of the kind */
export const keyOfToken = ({ home }: Deps, kind: TokenKind, text: string): TokenKey | undefined => {
  const read = readToken(kind, text)
  return read && { workspaceId: read.workspaceId ?? home.workspace_id, hash: read.hash }
}
