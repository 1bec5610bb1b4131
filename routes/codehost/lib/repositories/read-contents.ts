import { toWebLink } from '../../../../lib/http/web-link.js'
import type { Contents, ContentEntry, ReadContents } from '../../../../schemas/codehost/contents.js'
import { HostContents, type HostEntry, type HostFile } from '../../../../schemas/codehost/upstream.js'
import type { Access } from '../access.js'
import { CodehostNotFound } from '../errors.js'
import { inRepository } from './find-repository.js'
import { isCode, stalenessOf } from '../read-host.js'

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
