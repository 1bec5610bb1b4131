import { dropAccess, findKnown, saveSeen, type KnownRepository } from '../../../../db/codehost/repositories.js'
import type { Answer } from '../../../../lib/codehost/client.js'
import { HostRepository } from '../../../../schemas/codehost/upstream.js'
import type { Access } from '../access.js'
import { seenOf } from './describe-repository.js'
import { CodehostBadResponse, RepoNotFound } from '../errors.js'
import { isCode } from '../read-host.js'

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
