import {
  dropAccess, findKnown, saveSeen, type KnownRepository, type SeenRepository
} from '../../../../db/codehost/repositories.js'
import type { Answer } from '../../../../lib/codehost/client.js'
import { toWebLink } from '../../../../lib/http/addresses.js'
import type { Contents, ContentEntry, ReadContents } from '../../../../schemas/codehost/commits.js'
import type { Repository } from '../../../../schemas/codehost/repositories.js'
import { HostRepository, HostContents, type HostEntry, type HostFile } from '../../../../schemas/codehost/upstream.js'
import { type Access, CodehostBadResponse, RepoNotFound, CodehostNotFound } from '../access.js'
import { isCode, storable, toAccountId, toTime, stalenessOf } from '../read-host.js'

const permissionOf = ({ permissions }: HostRepository): Repository['permission'] => {
  if (permissions?.admin) return 'admin'
  return permissions?.push || permissions?.maintain ? 'write' : 'read'
}

/** Hosts without `private` may have `visibility`, of which only `public` means everybody. */
const isPrivate = ({ private: hidden, visibility }: HostRepository): boolean =>
  hidden ?? (visibility ? visibility !== 'public' : false)

/** @returns the fields of a repository that are stored when a person has seen it */
export const seenOf = (host: HostRepository): SeenRepository => ({
  id: String(host.id),
  full_name: host.full_name,
  default_branch: storable(host.default_branch || 'main'),
  private: isPrivate(host),
  permission: permissionOf(host)
})

/** Webhooks are late, and clocks differ. */
const slackMs = 300_000

/** That a webhook came once says nothing of today: a push that none reported shows that they are missing. */
const syncStateOf = ({ pushed_at: pushed }: HostRepository, known: KnownRepository | undefined):
Repository['sync']['state'] => {
  if (known?.sync_state !== 'live') return known?.sync_state ?? 'disconnected'
  const [last, at] = [known.last_event_at?.getTime() ?? 0, toTime(pushed)?.getTime() ?? 0]
  return at > last + slackMs ? 'stale' : 'live'
}

export const describeRepository = (host: HostRepository, known: KnownRepository | undefined): Repository => {
  const [ownerLogin = '', name = ''] = host.full_name.split('/')
  return {
    ...seenOf(host),
    owner: {
      id: toAccountId(host.owner),
      login: host.owner?.login || ownerLogin,
      type: host.owner?.type ?? null
    },
    name,
    description: host.description ?? null,
    archived: host.archived ?? false,
    fork: host.fork ?? false,
    html_url: toWebLink(host.html_url),
    language: host.language ?? null,
    pushed_at: toTime(host.pushed_at),
    updated_at: toTime(host.updated_at),
    sync: {
      state: syncStateOf(host, known),
      last_event_at: known?.last_event_at ?? null,
      last_synced_at: known?.last_synced_at ?? null,
      activity_complete_from: known?.activity_complete_from ?? null
    }
  }
}

/** A repository's name, as the parameters of the code host's routes. */
export interface RepositoryName { owner: string, repo: string }

export interface Found { host: HostRepository, known: KnownRepository | undefined, staleSince: Date | null }

export const repositoryNameOf = (fullName: string): RepositoryName => {
  const [owner = '', repo = ''] = fullName.split('/')
  return { owner, repo }
}

const isMissing = (error: unknown) => isCode(error, 'codehost_not_found')

const byName = async ({ client }: Access, known: KnownRepository): Promise<Answer<HostRepository> | undefined> => {
  try {
    const name = repositoryNameOf(known.full_name)
    const answer = await client.read('GET /repos/{owner}/{repo}', { ...name }, HostRepository)
    return String(answer.data.id) === known.id ? answer : undefined
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

/** Some hosts cannot read a repository by id: then the name that the person saw last must still lead to this id. */
const identify = async (access: Access, id: string, seen: KnownRepository | undefined) => {
  try {
    const answer = await access.client.read('GET /repositories/{id}', { id }, HostRepository)
    if (String(answer.data.id) !== id) throw CodehostBadResponse('The code host answered with another repository')
    return answer
  } catch (error) {
    if (!isMissing(error)) throw error
    const named = seen && await byName(access, seen)
    if (named) return named
    await dropAccess(access.db, access.principal.workspace_id, access.principal.user_id, id)
    throw RepoNotFound()
  }
}

const remember = async ({ db, principal }: Access, host: HostRepository, known: KnownRepository | undefined) => {
  const seen = seenOf(host)
  const same = known?.recent && known.full_name === seen.full_name && known.permission === seen.permission &&
    known.default_branch === seen.default_branch && known.private === seen.private
  if (same) return
  await db.transaction().execute((trx) => saveSeen(trx, principal.workspace_id, principal.user_id, [seen]))
}

/** A row counts as seen only with a right of this person: a hidden repository must look like a missing one. */
const recall = async ({ db, principal }: Access, id: string) => {
  const [row] = await findKnown(db, principal.workspace_id, principal.user_id, [id])
  return { known: row, seen: row?.permission ? row : undefined }
}

const confirm = async (access: Access, id: string, known: KnownRepository | undefined,
  seen: KnownRepository | undefined): Promise<Found> => {
  const { data: host, staleSince } = await identify(access, id, seen)
  if (!staleSince) await remember(access, host, known)
  return { host, known, staleSince }
}

/** @returns the repository as the person sees it now. @throws repo_not_found, for hidden ones too */
export const findRepository = async (access: Access, id: string): Promise<Found> => {
  const { known, seen } = await recall(access, id)
  return confirm(access, id, known, seen)
}

/**
 * Reads something of a repository by its stored name while it reads which name the id has now. After a rename, it
 * reads again by the new name, so it never answers with the repository that took the old name.
 * @throws repo_not_found, for hidden ones too; whatever `work` throws
 */
export const inRepository = async <T>(access: Access, id: string, work: (name: RepositoryName) => Promise<T>):
Promise<{ found: Found, result: T }> => {
  const { known, seen } = await recall(access, id)
  const early = seen && work(repositoryNameOf(seen.full_name))
  // It is awaited below, or never when the repository is gone: then its rejection must not be unhandled.
  early?.catch(() => undefined)
  const found = await confirm(access, id, known, seen)
  const current = early !== undefined && seen?.full_name === found.host.full_name
  return { found, result: await (current ? early : work(repositoryNameOf(found.host.full_name))) }
}

const types: Record<string, ContentEntry['type']> =
  { file: 'file', dir: 'folder', symlink: 'symlink', submodule: 'submodule' }
const typeOf = (type: string): ContentEntry['type'] => types[type] ?? 'file'

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** @returns the file's text; null when the code host did not send it, or it is not UTF-8 */
const textOf = ({ encoding, content }: HostFile): string | null => {
  if (encoding !== 'base64' || typeof content !== 'string') return null
  try {
    return utf8.decode(Buffer.from(content, 'base64'))
  } catch {
    return null
  }
}

const describeEntry = ({ type, name, path, size, html_url: url }: HostEntry): ContentEntry =>
  ({ type: typeOf(type), name, path, size: type === 'file' ? size ?? null : null, html_url: toWebLink(url) })

const folder = (path: string, entries: HostEntry[]) => ({
  path, type: 'folder', sha: null, size: null, text: null, entries: entries.map(describeEntry), html_url: null
} as const)

const file = (host: HostFile) => ({
  path: host.path,
  type: typeOf(host.type),
  sha: host.sha ?? null,
  size: host.size ?? null,
  text: textOf(host),
  entries: null,
  html_url: toWebLink(host.html_url)
})

/** @returns the path for a URL: each part encoded, the slashes between them kept */
export const encodePath = (path: string): string => path.split('/').filter(Boolean).map(encodeURIComponent).join('/')

const missing = (what: string) => (error: unknown): never => {
  throw isCode(error, 'codehost_not_found') ? CodehostNotFound(what) : error
}

/** @returns a file with its text, or a folder with its entries. @throws repo_not_found, codehost_not_found */
export const readContents = async (access: Access, id: string, { path, ref }: ReadContents): Promise<Contents> => {
  const route = path === '' ? 'GET /repos/{owner}/{repo}/contents' : 'GET /repos/{owner}/{repo}/contents/{+path}'
  const { found, result } = await inRepository(access, id, (name) =>
    access.client.read(route, { ...name, ...(path !== '' && { path: encodePath(path) }), ref }, HostContents)
      .catch(missing('There is no such file or folder at this ref')))
  const { data } = result
  return { repo_id: id, ...(Array.isArray(data) ? folder(path, data) : file(data)), ...stalenessOf(found, result) }
}
